import type { Translate } from "../../../shared/i18n/instance.ts";
import { usePage } from "./page.ts";

/** The translation function and the language. */
export interface Translation {
  /** Returns the text of a key; keys are type-checked. */
  t: Translate;
  /** BCP 47, e.g. "pt-BR": for the functions of lib/client/base/core/format.ts. */
  language: string;
}

/** The texts of the page, in components and islands alike, on the server and in the browser. */
export function useTranslation(): Translation {
  const { i18n } = usePage();
  return { t: i18n.t, language: i18n.language };
}
