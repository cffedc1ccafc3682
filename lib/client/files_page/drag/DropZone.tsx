import { useEffect, useRef, useState } from "react";
import { lazy } from "../../base/core/lazy.ts";
import { useLazy, useMay } from "../../base/core/use_site.ts";
import { useFileActions, useFiles } from "../../base/files/use_files.ts";
import type { Aim } from "./DropTarget.tsx";

const pageParts = lazy(() => import("../layout/page_parts.ts"));

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
