import { useEffect } from "react";
import { useTranslation } from "../i18n/use_translation.ts";
import type { Lazy } from "./lazy.ts";
import { useToasts } from "./use_site.ts";

/**
 * The exports of a lazy module, or null until they are loaded. A failure is shown as a toast; the
 * next time that `needed` becomes true the load is retried.
 *
 * @param needed whether to load it now
 */
export function useLazy<T>(module: Lazy<T>, needed: boolean): T | null {
  const { t } = useTranslation();
  const toasts = useToasts();
  useEffect(() => {
    if (!needed) return;
    void module.load().then((value) => {
      if (value === null) toasts.error(t("errors.offline"));
    });
  }, [needed]);
  const state = module.state.value;
  return state.is === "ready" ? state.value : null;
}
