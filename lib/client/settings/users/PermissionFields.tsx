import type { Permissions } from "../../../shared/api_types.ts";
import { usePage } from "../../core/page.ts";
import { GRANTS, withPermission } from "./permissions.ts";
import { useTranslation } from "../../core/use_translation.ts";
import { CheckField } from "../../../../components/CheckField.tsx";

interface PermissionFieldsProps {
  value: Permissions;
  onChange: (perm: Permissions) => void;
}

/** What a user may do. An administrator may do everything. */
export function PermissionFields({ value, onChange }: PermissionFieldsProps) {
  const { t } = useTranslation();
  const { EnableExec } = usePage().data.config;
  const shown = GRANTS.filter((name) => name !== "execute" || EnableExec);
  return (
    <fieldset className="group">
      <legend className="field__label">{t("settings.permissions.title")}</legend>
      <CheckField
        name="admin"
        label={t("settings.permissions.admin")}
        hint={t("settings.permissions.adminHint")}
        checked={value.admin}
        onChange={(given) => onChange(withPermission(value, "admin", given))}
      />
      <div className="checks checks--columns">
        {shown.map((name) => (
          <CheckField
            key={name}
            name={`perm-${name}`}
            label={t(`settings.permissions.${name}`)}
            checked={value.admin || value[name]}
            disabled={value.admin}
            onChange={(given) => onChange(withPermission(value, name, given))}
          />
        ))}
      </div>
    </fieldset>
  );
}
