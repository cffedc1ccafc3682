import { useEffect, useState } from "react";
import { useTranslation } from "../i18n/use_translation.ts";
import { useToasts } from "./use_site.ts";

/**
 * A module that is loaded when it is first wanted, and null until it is there. When it can't be had
 * the user is told, and it is tried again the next time that it is wanted.
 *
 * @param wanted whether it is wanted by now
 * @param load the dynamic import
 */
export function useLoaded<Module>(wanted: boolean, load: () => Promise<Module>): Module | null {
  const [loaded, setLoaded] = useState<{ module: Module } | null>(null);
  const { t } = useTranslation();
  const toasts = useToasts();
  useEffect(() => {
    if (!wanted || loaded) return;
    load().then((module) => setLoaded({ module }), () => toasts.error(t("errors.offline")));
  }, [wanted]);
  return loaded?.module ?? null;
}
