import { useEffect, useState } from "react";
import { useToasts } from "./use_site.ts";
import { useTranslation } from "./use_translation.ts";

/**
 * What a module that is loaded late exports, or null until it is there. When it can't be had the
 * user is told, and it is tried again the next time that it is wanted.
 *
 * @param wanted whether it is wanted by now
 * @param load imports the module; one and the same in every call
 */
export function useLate<Module>(wanted: boolean, load: () => Promise<Module>): Module | null {
  const [loaded, setLoaded] = useState<{ module: Module } | null>(null);
  const { t } = useTranslation();
  const toasts = useToasts();
  useEffect(() => {
    if (!wanted || loaded) return;
    load().then(
      (module) => setLoaded({ module }),
      () => toasts.error(t("errors.offline")),
    );
  }, [wanted]);
  return loaded?.module ?? null;
}
