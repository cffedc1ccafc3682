import { useEffect, useRef, useState } from "react";
import { readDrop } from "../lib/client/dropped.ts";
import { useFileActions } from "../lib/client/use_file_actions.ts";
import { useFiles } from "../lib/client/use_files.ts";
import { usePlaceName } from "../lib/client/use_place_name.ts";
import { useLateParts } from "./use_late_parts.ts";

/** Takes files and folders that are dropped anywhere on the page, and says so while they hover. */
export function DropZone() {
  const { listing, uploads } = useFiles();
  const name = usePlaceName();
  const [over, setOver] = useState(false);
  const parts = useLateParts(over);
  const depth = useRef(0);
  const ready = useFileActions().create && listing.resource.value?.isDir === true;

  useEffect(() => {
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    // Enter and leave come for every element on the way; only the outermost pair counts.
    const count = (by: number) => (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      depth.current = Math.max(0, depth.current + by);
      setOver(ready && depth.current > 0);
    };
    const hover = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      // Without this the browser would leave the page for the dropped file.
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = ready ? "copy" : "none";
    };
    const drop = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      depth.current = 0;
      setOver(false);
      if (!ready || !event.dataTransfer) return;
      const destination = listing.path.peek();
      void readDrop(event.dataTransfer).then((incoming) => uploads.add(destination, incoming));
    };
    const leaving = new AbortController();
    const { signal } = leaving;
    document.addEventListener("dragenter", count(1), { signal });
    document.addEventListener("dragleave", count(-1), { signal });
    document.addEventListener("dragover", hover, { signal });
    document.addEventListener("drop", drop, { signal });
    return () => leaving.abort();
  }, [ready, listing, uploads]);

  return over && parts ? <parts.DropTarget name={name} /> : null;
}
