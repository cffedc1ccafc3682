import { localeName } from "../../shared/i18n/locale_names.ts";
import { useTranslation } from "../core/use_translation.ts";
import { SelectField } from "../../../components/SelectField.tsx";

interface LocaleFieldProps {
  value: string;
  /** The locales that have texts. */
  locales: readonly string[];
  onChange: (locale: string) => void;
}

/** The language, each by its own name; without one it is the browser's. */
export function LocaleField({ value, locales, onChange }: LocaleFieldProps) {
  const { t } = useTranslation();
  // A record may name one that has no texts here: it is kept all the same.
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
