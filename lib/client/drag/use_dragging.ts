import { useEffect } from "react";
import { useTranslation } from "../core/use_translation.ts";
import { lazy } from "../core/lazy.ts";
import { placeOf } from "../navigation/navigation.ts";
import { useMay, usePage } from "../core/page.ts";
import { useFiles } from "../navigation/use_files.ts";

const drag = lazy(() => import("./drag_entries.ts"));

/** Lets the mouse drag entries onto folders. The code is loaded when a mouse first moves. */
export function useDragging(): void {
  const { t } = useTranslation();
  const files = useFiles();
  const { config } = usePage().data;
  const may = useMay();
  useEffect(() => {
    let stop: (() => void) | undefined;
    const leaving = new AbortController();
    const folderAt = (href: string) => {
      const place = placeOf(href, config.BaseURL);
      return place?.folder ? place.path : null;
    };
    const begin = async (event: PointerEvent) => {
      if (event.pointerType !== "mouse") return;
      document.removeEventListener("pointermove", begin);
      // Without the code there are other ways to move entries.
      const code = await drag.load();
      if (!leaving.signal.aborted) stop = code?.followDrags({ ...files, t, may, folderAt });
    };
    document.addEventListener("pointermove", begin, { signal: leaving.signal });
    return () => {
      leaving.abort();
      stop?.();
    };
  }, [files]);
}
