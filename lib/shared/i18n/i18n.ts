import { createInstance, type i18n } from "i18next";
import { displayText } from "../entry_names.ts";
import { languageTag } from "./locales.ts";

/** Every text of the interface, by area; `locales/en.json` is the model for all languages. */
export type Words = typeof import("../../../locales/en.json", { with: { type: "json" }});

declare module "i18next" {
  /** Keys of texts are those of the English ones; `t` accepts no other. */
  interface CustomTypeOptions {
    resources: { translation: Words };
    /** Texts are read from JSON: their gaps are no part of their types. */
    parseInterpolation: false;
    strictInterpolationChecks: false;
  }
}

/**
 * Creates the i18next instance of one locale, which has no other texts and never changes its
 * language: the server keeps one per locale, a page in the browser has its own.
 *
 * @param words may be frozen
 */
export function createI18n(locale: string, words: Words): i18n {
  const instance = createInstance();
  const language = languageTag(locale);
  instance.init({
    lng: language,
    load: "currentOnly",
    fallbackLng: false,
    resources: { [language]: { translation: words } },
    initAsync: false,
    // Preact escapes HTML; here only names that are not UTF-8 are made presentable.
    interpolation: { escapeValue: true, escape: displayText },
    missingInterpolationHandler: () => "",
    // The texts are here and stay: components have nothing to wait for or to listen to.
    react: { useSuspense: false, bindI18n: "", bindI18nStore: "" },
  });
  return instance;
}
