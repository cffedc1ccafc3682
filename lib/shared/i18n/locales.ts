/** The fallback locale, which has every text. */
export const FALLBACK_LOCALE = "en";

/** Locales whose names differ from their BCP 47 tags. */
const TAGS: Record<string, string> = {
  "nl-be": "nl-BE",
  "pt-br": "pt-BR",
  "sv-se": "sv-SE",
  "ua": "uk",
  "zh-cn": "zh-CN",
  "zh-tw": "zh-TW",
};

/** The BCP 47 tag of a locale, for the `lang` attribute and `Intl`. */
export function languageTag(locale: string): string {
  return TAGS[locale] ?? locale;
}

/** The direction of a locale's script, for the `dir` attribute. */
export function directionOf(locale: string): "ltr" | "rtl" {
  return locale === "ar" ? "rtl" : "ltr";
}

/**
 * The locale to show a page in: the user's own choice, else the browser's (`Accept-Language`, RFC
 * 9110 section 12.5.4), else English.
 *
 * @param available the locales that have texts
 */
export function chooseLocale(
  choice: { chosen?: string; acceptLanguage?: string | null },
  available: readonly string[],
): string {
  const chosen = choice.chosen?.toLowerCase() ?? "";
  if (available.includes(chosen)) return chosen;
  for (const tag of preferences(choice.acceptLanguage ?? "")) {
    const match = bestMatch(tag, available);
    if (match !== undefined) return match;
  }
  return FALLBACK_LOCALE;
}

/** The language tags of an `Accept-Language`, the most preferred first, refused ones left out. */
function preferences(header: string): string[] {
  const ranges = header.slice(0, 1000).split(",").map((range) => {
    const [tag = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    return { tag, weight: quality === undefined ? 1 : Number(quality.slice(2)) };
  });
  return ranges
    .filter(({ tag, weight }) => tag !== "" && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

/** The exact locale, else the locale of the same script, else any of the same language. */
function bestMatch(tag: string, available: readonly string[]): string | undefined {
  const named = available.map((locale) => ({ locale, tag: languageTag(locale).toLowerCase() }));
  const exact = named.find((candidate) => candidate.tag === tag || candidate.locale === tag);
  if (exact) return exact.locale;
  const language = tag.split("-")[0];
  if (language === "zh" && /-(hant|hk|mo)\b/.test(tag) && available.includes("zh-tw")) {
    return "zh-tw";
  }
  return named.find((candidate) => candidate.tag === language)?.locale ??
    named.find((candidate) => candidate.tag.split("-")[0] === language)?.locale;
}
