import type { i18n } from "i18next";
import { FALLBACK_LOCALE } from "../../../shared/i18n/locales.ts";
import { createI18n, type Words } from "../../../shared/i18n/i18n.ts";
import { listProgramFolder, readProgramText } from "../../core/config/program_files.ts";

/** Cache of texts, which are the same for all users and never change: they are frozen. */
const loaded = new Map<string, Words>();

/** The locales that have texts, sorted. Server only: reads the folder `locales/`. */
export function availableLocales(): readonly string[] {
  const names = listProgramFolder("locales/").map(({ name }) => name);
  return names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -5)).sort();
}

/**
 * All texts in one locale; missing ones are in English. Server only.
 *
 * @param locale one of {@linkcode availableLocales}
 */
export function wordsOf(locale: string): Words {
  const known = loaded.get(locale);
  if (known) return known;
  const own = JSON.parse(readProgramText(`locales/${locale}.json`));
  const words = freeze(locale === FALLBACK_LOCALE ? own : merge(wordsOf(FALLBACK_LOCALE), own));
  loaded.set(locale, words);
  return words;
}

/** One instance for each locale, for all requests: none of them changes its language. */
const instances = new Map<string, i18n>();

/**
 * The texts of one locale, for what the server renders and writes.
 *
 * @param locale one of {@linkcode availableLocales}
 */
export function i18nOf(locale: string): i18n {
  const known = instances.get(locale);
  if (known) return known;
  const made = createI18n(locale, wordsOf(locale));
  instances.set(locale, made);
  return made;
}

function freeze<T extends object>(tree: T): T {
  for (const value of Object.values(tree)) if (typeof value === "object") freeze(value);
  return Object.freeze(tree);
}

type Tree = { [key: string]: string | Tree };

function merge(base: Tree, over: Tree): Tree {
  const merged: Tree = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const under = merged[key];
    merged[key] = typeof value === "object" && typeof under === "object"
      ? merge(under, value)
      : value;
  }
  return merged;
}
