import { useEffect, useState } from "react";
import { useToasts } from "../lib/client/use_site.ts";
import { useTranslation } from "../lib/i18n/use_translation.ts";

type LateParts = typeof import("./late_parts.ts");

/**
 * The late parts, or null until they are there. When they can't be had the user is told, and it is
 * tried again the next time that one is wanted.
 *
 * @param wanted whether one of them is wanted by now
 */
export function useLateParts(wanted: boolean): LateParts | null {
  const [loaded, setLoaded] = useState<{ parts: LateParts } | null>(null);
  const { t } = useTranslation();
  const toasts = useToasts();
  useEffect(() => {
    if (!wanted || loaded) return;
    import("./late_parts.ts").then(
      (parts) => setLoaded({ parts }),
      () => toasts.error(t("errors.offline")),
    );
  }, [wanted]);
  return loaded?.parts ?? null;
}
