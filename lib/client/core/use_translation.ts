import type { TFunction } from "i18next";
import { useTranslation as useReactTranslation } from "react-i18next";
import { usePage } from "./page.ts";

/** The translation function and the language. */
export interface Translation {
  /** Returns the text of a key; keys are type-checked. */
  t: TFunction;
  /** BCP 47, e.g. "pt-BR": for the functions of lib/client/core/format.ts. */
  language: string;
}

/** The texts of the page, in components and islands alike, on the server and in the browser. */
export function useTranslation(): Translation {
  const { i18n } = usePage();
  const { t } = useReactTranslation(undefined, { i18n });
  return { t, language: i18n.language };
}
