import { useTranslation } from "react-i18next";
import type { UserPreferences } from "../../../../shared/schemas/user.ts";
import { CheckField, SelectField } from "../../../../../components/Fields.tsx";
import { sortKeys, viewModes } from "../../../../shared/schemas/choices/choices.ts";
import type { Bound, Fields } from "../../../base/ui/use_form.ts";
import { localeName } from "../../../../shared/i18n/locale_names.ts";

interface ViewFieldsProps {
  form: Fields<UserPreferences>;
  locales: readonly string[];
}

/** The language and the display preferences of a user, as in the user's own profile. */
export function ViewFields({ form, locales }: ViewFieldsProps) {
  const { t } = useTranslation();
  const sorting = form.part("sorting");
  const { value: asc, onChange: setAsc } = sorting.field("asc");
  return (
    <>
      <div className="fields">
        <LocaleField {...form.field("locale")} locales={locales} />
        <SelectField
          {...form.field("viewMode")}
          label={t("settings.viewMode")}
          options={viewModes.map((mode) => [mode, t(`views.${mode}`)] as const)}
        />
        <SelectField
          {...sorting.field("by", "sortBy")}
          label={t("settings.sortBy")}
          options={sortKeys.map((by) => [by, t(`files.column.${by}`)] as const)}
        />
        <SelectField
          name="sortOrder"
          label={t("settings.sortOrder")}
          value={asc ? "asc" : "desc"}
          options={[["asc", t("settings.ascending")], ["desc", t("settings.descending")]]}
          onChange={(order) => setAsc(order === "asc")}
        />
      </div>
      <BehaviourFields form={form} />
    </>
  );
}

/** The check boxes about the behaviour of listings, each with whether it has a hint. */
const behaviours = {
  hideDotfiles: true,
  singleClick: false,
  dateFormat: true,
  picturesAsPhotos: true,
  redirectAfterCopyMove: false,
  keepModified: true,
  trashWithoutAsking: true,
  keepRecent: true,
} as const satisfies Partial<Record<keyof UserPreferences, boolean>>;

type BehaviourName = keyof typeof behaviours;

type HintedName = {
  [Name in BehaviourName]: typeof behaviours[Name] extends true ? Name : never;
}[BehaviourName];

type Behaviour = Pick<UserPreferences, BehaviourName | "hideReadme">;

const behaviourNames = Object.keys(behaviours) as BehaviourName[];

/** The preferences of {@linkcode BehaviourFields} alone. */
export function behaviourOf(user: Behaviour): Behaviour {
  const entries = behaviourNames.map((name) => [name, user[name]]);
  return { ...Object.fromEntries(entries) as Behaviour, hideReadme: user.hideReadme };
}

/** Preferences about the behaviour of listings. */
export function BehaviourFields({ form }: { form: Fields<Behaviour> }) {
  const { t } = useTranslation();
  const readme = form.field("hideReadme");
  const hintOf = (name: BehaviourName) =>
    behaviours[name] ? t(`settings.${name as HintedName}Hint`) : undefined;
  return (
    <div className="checks">
      {behaviourNames.map((name) => (
        <CheckField
          key={name}
          {...form.field(name)}
          label={t(`settings.${name}`)}
          hint={hintOf(name)}
        />
      ))}
      <CheckField
        {...readme}
        label={t("settings.showReadme")}
        value={!readme.value}
        onChange={(isShown) => readme.onChange(!isShown)}
      />
    </div>
  );
}

interface LocaleFieldProps extends Bound<string> {
  /** The locales that have texts. */
  locales: readonly string[];
}

/** The language, by its own name; by default the browser's. */
export function LocaleField({ locales, ...field }: LocaleFieldProps) {
  const { t } = useTranslation();
  // A record may name a locale without texts here: keep it in the list.
  const { value } = field;
  const known = value === "" || locales.includes(value) ? locales : [...locales, value];
  return (
    <SelectField
      {...field}
      label={t("settings.locale")}
      options={[
        ["", t("settings.localeBrowser")],
        ...known.map((locale) => [locale, localeName(locale)] as const),
      ]}
    />
  );
}
