import { createInstance } from "i18next";
import { displayName } from "../../shared/entry_names.ts";
import type { I18n } from "../../shared/i18n/instance.ts";
import { languageTag } from "../../shared/i18n/locales.ts";
import { wordsOf } from "./dictionaries.ts";

/** One for each locale: the texts are the same for all users and never change. */
const made = new Map<string, I18n>();

/**
 * The translations of one locale, by i18next, for what the server renders. Browsers, which would
 * load 15 KB of it before the first click, have `createI18n()`; a test holds both equal.
 *
 * @param locale one of `availableLocales()`
 */
export function serverI18n(locale: string): I18n {
  const known = made.get(locale);
  if (known) return known;
  const instance = createInstance();
  const language = languageTag(locale);
  instance.init({
    lng: language,
    resources: { [language]: { translation: wordsOf(locale) } },
    initAsync: false,
    // React escapes; here only names that are not UTF-8 are made presentable.
    interpolation: { escapeValue: true, escape: displayName },
  });
  const i18n: I18n = { language, t: (key, values) => instance.t(key, { ...values }) };
  made.set(locale, i18n);
  return i18n;
}
