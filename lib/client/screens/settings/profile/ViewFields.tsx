import { useTranslation } from "react-i18next";
import type { UserPreferences } from "../../../../shared/api_types.ts";
import { CheckField, SelectField } from "../../../../../components/Fields.tsx";
import { localeName } from "../../../../shared/i18n/locale_names.ts";

interface ViewFieldsProps {
  value: UserPreferences;
  locales: readonly string[];
  onChange: (change: Partial<UserPreferences>) => void;
}

/** The language and the display preferences of a user, as in the user's own profile. */
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

type Behaviour = Pick<
  UserPreferences,
  | "hideDotfiles"
  | "singleClick"
  | "dateFormat"
  | "picturesAsPhotos"
  | "redirectAfterCopyMove"
  | "keepModified"
  | "trashWithoutAsking"
  | "keepRecent"
  | "hideReadme"
>;

/** The preferences of {@linkcode BehaviourFields} alone. */
export function behaviourOf(user: Behaviour): Behaviour {
  const { hideDotfiles, singleClick, dateFormat, picturesAsPhotos } = user;
  const { redirectAfterCopyMove, keepModified, trashWithoutAsking } = user;
  const { keepRecent, hideReadme } = user;
  return {
    ...{ hideDotfiles, singleClick, dateFormat, picturesAsPhotos },
    ...{ redirectAfterCopyMove, keepModified, trashWithoutAsking, keepRecent, hideReadme },
  };
}

interface BehaviourFieldsProps {
  value: Behaviour;
  onChange: (change: Partial<Behaviour>) => void;
}

/** Preferences about the behaviour of listings. */
export function BehaviourFields({ value, onChange }: BehaviourFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className="checks">
      <CheckField
        name="hideDotfiles"
        label={t("settings.hideDotfiles")}
        hint={t("settings.hideDotfilesHint")}
        checked={value.hideDotfiles}
        onChange={(hideDotfiles) => onChange({ hideDotfiles })}
      />
      <CheckField
        name="singleClick"
        label={t("settings.singleClick")}
        checked={value.singleClick}
        onChange={(singleClick) => onChange({ singleClick })}
      />
      <CheckField
        name="dateFormat"
        label={t("settings.dateFormat")}
        hint={t("settings.dateFormatHint")}
        checked={value.dateFormat}
        onChange={(dateFormat) => onChange({ dateFormat })}
      />
      <CheckField
        name="picturesAsPhotos"
        label={t("settings.picturesAsPhotos")}
        hint={t("settings.picturesAsPhotosHint")}
        checked={value.picturesAsPhotos}
        onChange={(picturesAsPhotos) => onChange({ picturesAsPhotos })}
      />
      <CheckField
        name="redirectAfterCopyMove"
        label={t("settings.redirectAfterCopyMove")}
        checked={value.redirectAfterCopyMove}
        onChange={(redirectAfterCopyMove) => onChange({ redirectAfterCopyMove })}
      />
      <CheckField
        name="keepModified"
        label={t("settings.keepModified")}
        hint={t("settings.keepModifiedHint")}
        checked={value.keepModified}
        onChange={(keepModified) => onChange({ keepModified })}
      />
      <CheckField
        name="trashWithoutAsking"
        label={t("settings.trashWithoutAsking")}
        hint={t("settings.trashWithoutAskingHint")}
        checked={value.trashWithoutAsking}
        onChange={(trashWithoutAsking) => onChange({ trashWithoutAsking })}
      />
      <CheckField
        name="keepRecent"
        label={t("settings.keepRecent")}
        hint={t("settings.keepRecentHint")}
        checked={value.keepRecent}
        onChange={(keepRecent) => onChange({ keepRecent })}
      />
      <CheckField
        name="hideReadme"
        label={t("settings.hideReadme")}
        checked={value.hideReadme}
        onChange={(hideReadme) => onChange({ hideReadme })}
      />
    </div>
  );
}

interface LocaleFieldProps {
  value: string;
  /** The locales that have texts. */
  locales: readonly string[];
  onChange: (locale: string) => void;
}

/** The language, by its own name; by default the browser's. */
export function LocaleField({ value, locales, onChange }: LocaleFieldProps) {
  const { t } = useTranslation();
  // A record may name a locale without texts here: keep it in the list.
  const known = value === "" || locales.includes(value) ? locales : [...locales, value];
  return (
    <SelectField
      name="locale"
      label={t("settings.locale")}
      value={value}
      options={[
        ["", t("settings.localeBrowser")],
        ...known.map((locale) => [locale, localeName(locale)] as const),
      ]}
      onChange={onChange}
    />
  );
}
