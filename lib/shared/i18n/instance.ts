import { displayName } from "../entry_names.ts";
import { createInstance, type i18n as I18n } from "i18next";
import { languageTag } from "./locales.ts";
import type { Words } from "./words.ts";

/**
 * Creates the translations of one locale. Synchronous, and loads nothing; each render on the server
 * makes its own, so that two users never share a language.
 */
export function createI18n(locale: string, words: Words): I18n {
  const instance = createInstance();
  const lng = languageTag(locale);
  instance.init({
    lng,
    resources: { [lng]: { translation: words } },
    initAsync: false,
    // React escapes; here only names that are not UTF-8 are made presentable.
    interpolation: { escapeValue: true, escape: displayName },
    react: { useSuspense: false, bindI18n: "", bindI18nStore: "" },
  });
  return instance;
}
