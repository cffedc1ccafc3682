import { useEffect, useRef, useState } from "react";
import { useFileActions } from "../menu/use_file_actions.ts";
import type { Aim } from "./use_file_goal.ts";
import { useFiles } from "../navigation/use_files.ts";
import { useLateParts } from "../navigation/use_late_parts.ts";

/**
 * Takes files and folders that are dropped anywhere on the page, and says so while they hover: into
 * the folder below the pointer, else into the one that is open.
 */
export function DropZone() {
  const { listing, uploads } = useFiles();
  const may = useFileActions();
  const [over, setOver] = useState(false);
  const parts = useLateParts(over);
  const aim = useRef<Aim | null>(null);
  const inside = useRef<EventTarget | null>(null);
  const here = may.create && may.here ? listing.path.value : null;

  useEffect(() => {
    const stopping = new AbortController();
    const listen = (
      type: "dragenter" | "dragleave" | "dragover" | "drop",
      heed: (event: DragEvent, data: DataTransfer) => void,
    ) =>
      document.addEventListener(type, (event) => {
        if (event.dataTransfer?.types.includes("Files")) heed(event, event.dataTransfer);
      }, { signal: stopping.signal });
    const goalOf = ({ target }: Event) => aim.current ? aim.current(target) : here;
    listen("dragenter", ({ target }) => {
      inside.current = target;
      setOver(may.create);
    });
    listen("dragleave", ({ target }) => {
      // The next element is entered before the former is left.
      if (target === inside.current) setOver(false);
    });
    listen("dragover", (event, data) => {
      // Without this the browser would leave the page for the dropped file.
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
  }, [uploads, may.create, here]);

  if (!over || !parts) return null;
  return <parts.DropTarget aim={aim} here={here} onGone={() => setOver(false)} />;
}
