import { FolderOpen } from "lucide";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Placed } from "../../../../shared/named_roots.ts";
import type { Permissions } from "../../../../shared/schemas/rights.ts";
import { usePage } from "../../../base/core/page.ts";
import { IconButton } from "../../../../../components/Button.tsx";
import { CheckField, TextField } from "../../../../../components/Fields.tsx";
import { WordsField } from "../ListFields.tsx";
import { useFolderPick, useScopeHint } from "../roots/use_folder_pick.ts";
import type { Bound } from "../../../base/ui/use_form.ts";

/** The permissions that an administrator grants, in display order, after `admin`. */
const GRANTS = [
  "create",
  "delete",
  "download",
  "modify",
  "rename",
  "share",
  "execute",
] as const satisfies readonly (keyof Permissions)[];

/** The permissions with one given or taken: an administrator's include all others. */
export function withPermission(
  perm: Permissions,
  name: keyof Permissions,
  given: boolean,
): Permissions {
  if (name !== "admin" || !given) return { ...perm, [name]: given };
  const all = GRANTS.map((each) => [each, true]);
  return { ...perm, ...Object.fromEntries(all), admin: true };
}

/** Checkboxes for a user's permissions. An administrator has all of them. */
export function PermissionFields(
  { value, onChange }: Pick<Bound<Permissions>, "value" | "onChange">,
) {
  const { t } = useTranslation();
  const { EnableExec } = usePage().data.config;
  const shown = GRANTS.filter((name) => name !== "execute" || EnableExec);
  return (
    <fieldset className="field-group">
      <legend className="field__label">{t("settings.permissions.title")}</legend>
      <CheckField
        name="admin"
        label={t("settings.permissions.admin")}
        hint={t("settings.permissions.adminHint")}
        value={value.admin}
        onChange={(given) => onChange(withPermission(value, "admin", given))}
      />
      <div className="checks checks--columns">
        {shown.map((name) => (
          <CheckField
            key={name}
            name={`perm-${name}`}
            label={t(`settings.permissions.${name}`)}
            value={value.admin || value[name]}
            disabled={value.admin}
            onChange={(given) => onChange(withPermission(value, name, given))}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface ScopeFieldProps extends Bound<string> {
  /** Without a scope a home folder is created. */
  makesHome?: boolean;
  /** The user has named roots, and sees those instead. */
  isIdle?: boolean;
  /** The administrator's own place, who picks the folder. */
  own: Placed;
}

/** The root folder of a user, typed or picked. */
export function ScopeField({ makesHome, isIdle, own, ...field }: ScopeFieldProps) {
  const { t } = useTranslation();
  const choose = useFolderPick(own);
  const button = useRef<HTMLButtonElement>(null);
  const hint = useScopeHint(own)(t(makesHome ? "settings.scopeHome" : "settings.scopeHint"));
  const pick = async () => {
    const path = await choose(field.value);
    if (path !== null) field.onChange(path);
    // The prompt had the focus, and is gone.
    button.current?.focus();
  };
  return (
    <TextField
      {...field}
      label={t("settings.scope")}
      hint={isIdle ? t("settings.scopeIdle") : hint}
      placeholder={makesHome && !isIdle ? "" : "/"}
      disabled={isIdle}
      verbatim
      end={!isIdle && (
        <IconButton
          label={t("settings.scopePick")}
          glyph={FolderOpen}
          buttonRef={button}
          onClick={() => void pick()}
        />
      )}
    />
  );
}

/** The programs that a user may run; absent if the server runs none. */
export function CommandsField(field: Bound<string[]>) {
  const { t } = useTranslation();
  if (!usePage().data.config.EnableExec) return null;
  return (
    <WordsField
      {...field}
      label={t("settings.commands")}
      hint={t("settings.commandsHint")}
      placeholder="git svn hg"
    />
  );
}
