import { useEffect, useRef, useState } from "react";
import { lazy } from "../../base/core/lazy.ts";
import { useLazy, useMay } from "../../base/core/use_site.ts";
import { useFileActions, useFiles } from "../../base/files/use_files.ts";
import type { Aim } from "./DropTarget.tsx";
import { useTranslation } from "react-i18next";
import { placeOf } from "../../base/navigation/navigation.ts";
import { usePage } from "../../base/core/page.ts";
import { useRootAccess } from "../../base/core/root_access.ts";

const pageParts = lazy(() => import("../layout/late_page.ts"));

/**
 * Takes files and folders dropped anywhere on the page: into the folder below the pointer, else
 * into the open one. Shows the target during the drag.
 */
export function DropZone() {
  const { listing, uploads } = useFiles();
  const may = useFileActions();
  // Where the open folder takes nothing, another one that is seen may.
  const mayCreate = useMay()("create");
  const [over, setOver] = useState(false);
  const code = useLazy(pageParts, over);
  const aim = useRef<Aim | null>(null);
  const inside = useRef<EventTarget | null>(null);
  const here = may.create && may.here ? listing.path.value : null;

  useEffect(() => {
    const stopping = new AbortController();
    const listen = (
      type: "dragenter" | "dragleave" | "dragover" | "drop",
      listener: (event: DragEvent, data: DataTransfer) => void,
    ) =>
      document.addEventListener(type, (event) => {
        if (event.dataTransfer?.types.includes("Files")) listener(event, event.dataTransfer);
      }, { signal: stopping.signal });
    const goalOf = ({ target }: Event) => aim.current ? aim.current(target) : here;
    listen("dragenter", ({ target }) => {
      inside.current = target;
      setOver(mayCreate);
    });
    listen("dragleave", ({ target }) => {
      // `dragenter` of the next element fires before `dragleave` of the former.
      if (target === inside.current) setOver(false);
    });
    listen("dragover", (event, data) => {
      // By default the browser navigates to the dropped file.
      event.preventDefault();
      data.dropEffect = goalOf(event) === null ? "none" : "copy";
    });
    listen("drop", (event, data) => {
      event.preventDefault();
      setOver(false);
      const goal = goalOf(event);
      if (goal !== null) void uploads.addDropped(goal, data);
    });
    return () => stopping.abort();
  }, [uploads, mayCreate, here]);

  if (!over || !code) return null;
  return <code.DropTarget aim={aim} here={here} onGone={() => setOver(false)} />;
}

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
