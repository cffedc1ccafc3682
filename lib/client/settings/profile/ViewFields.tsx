import type { UserPreferences } from "../../../shared/api_types.ts";
import { useTranslation } from "../../core/use_translation.ts";
import { SelectField } from "../../../../components/SelectField.tsx";
import { BehaviourFields } from "../site/BehaviourFields.tsx";
import { LocaleField } from "../LocaleField.tsx";

interface ViewFieldsProps {
  value: UserPreferences;
  locales: readonly string[];
  onChange: (change: Partial<UserPreferences>) => void;
}

/** How the product speaks to a user and shows files: what users also settle for themselves. */
export function ViewFields({ value, locales, onChange }: ViewFieldsProps) {
  const { t } = useTranslation();
  const { viewMode, sorting } = value;
  return (
    <>
      <div className="fields">
        <LocaleField
          value={value.locale}
          locales={locales}
          onChange={(locale) => onChange({ locale })}
        />
        <SelectField
          name="viewMode"
          label={t("settings.viewMode")}
          value={viewMode}
          options={(["list", "mosaic", "mosaic gallery"] as const)
            .map((mode) => [mode, t(`settings.views.${mode}`)] as const)}
          onChange={(viewMode) => onChange({ viewMode })}
        />
        <SelectField
          name="sortBy"
          label={t("settings.sortBy")}
          value={sorting.by}
          options={(["name", "size", "modified"] as const)
            .map((by) => [by, t(`files.column.${by}`)] as const)}
          onChange={(by) => onChange({ sorting: { ...sorting, by } })}
        />
        <SelectField
          name="sortOrder"
          label={t("settings.sortOrder")}
          value={sorting.asc ? "asc" : "desc"}
          options={[["asc", t("settings.ascending")], ["desc", t("settings.descending")]]}
          onChange={(order) => onChange({ sorting: { ...sorting, asc: order === "asc" } })}
        />
      </div>
      <BehaviourFields value={value} onChange={onChange} />
    </>
  );
}
