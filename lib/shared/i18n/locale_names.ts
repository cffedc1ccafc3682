/** The locales' names in their own languages. */
export const localeNames: Readonly<Record<string, string>> = {
  ar: "العربية",
  de: "Deutsch",
  en: "English",
  es: "Español",
  fr: "Français",
  is: "Íslenska",
  it: "Italiano",
  ja: "日本語",
  ko: "한국어",
  "nl-be": "Nederlands (België)",
  pl: "Polski",
  pt: "Português",
  "pt-br": "Português (Brasil)",
  ro: "Română",
  ru: "Русский",
  sk: "Slovenčina",
  "sv-se": "Svenska",
  tr: "Türkçe",
  ua: "Українська",
  "zh-cn": "简体中文",
  "zh-tw": "繁體中文",
};

/** The name of a locale in its own language; the locale itself if unknown. */
export function localeName(locale: string): string {
  return localeNames[locale] ?? locale;
}
