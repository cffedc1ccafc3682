import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { lazy } from "../../base/core/lazy.ts";
import { placeOf } from "../../base/navigation/navigation.ts";
import { usePage } from "../../base/core/page.ts";
import { useMay } from "../../base/core/use_site.ts";
import { useRootAccess } from "../../base/core/root_access.ts";
import { useFiles } from "../../base/files/use_files.ts";

const drag = lazy(() => import("./drag_entries.ts"));

/** The delay before code is loaded for a mouse that has not moved yet, in milliseconds. */
const AT_REST_MS = 1000;

/**
 * Lets the mouse drag entries onto folders. The code is loaded once the page is at rest, or when a
 * mouse first moves.
 */
export function useDragging(): void {
  const { t } = useTranslation();
  const files = useFiles();
  const { config } = usePage().data;
  const may = useMay();
  const rootAccess = useRootAccess();
  useEffect(() => {
    let stop: (() => void) | undefined;
    const leaving = new AbortController();
    const folderAt = (href: string) => {
      const place = placeOf(href, config.BaseURL);
      return place?.folder ? place.path : null;
    };
    const begin = async () => {
      document.removeEventListener("pointermove", onMove);
      clearTimeout(timer);
      // Without the code there are other ways to move entries.
      const code = await drag.load();
      if (!leaving.signal.aborted) {
        stop = code?.followDrags({ ...files, t, may, rootAccess, folderAt });
      }
    };
    const onMove = ({ pointerType }: PointerEvent) => pointerType === "mouse" && void begin();
    const timer = matchMedia("(any-hover)").matches ? setTimeout(begin, AT_REST_MS) : undefined;
    document.addEventListener("pointermove", onMove, { signal: leaving.signal });
    return () => {
      leaving.abort();
      clearTimeout(timer);
      stop?.();
    };
  }, [files]);
}
