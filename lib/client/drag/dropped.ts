import type { Incoming } from "../api/incoming.ts";

/** A file or folder that was dropped: as an entry where the browser knows folders. */
export type DroppedRoot = FileSystemEntry | File;

/**
 * What was dropped, folders unread. Call it inside the drop event: once that is over the browser has
 * forgotten.
 */
export function rootsOf(dropped: Pick<DataTransfer, "items">): DroppedRoot[] {
  return [...dropped.items].filter((item) => item.kind === "file").flatMap((item) => {
    const root = item.webkitGetAsEntry?.() ?? item.getAsFile();
    return root === null ? [] : [root];
  });
}

/** What was chosen in a file input, with its folders where the input takes folders. */
export function readInput(files: Iterable<File>): Incoming[] {
  return Array.from(files, (file) => {
    const segments = file.webkitRelativePath.split("/").filter((segment) => segment !== "");
    return { segments: segments.length > 0 ? segments : [file.name], file };
  });
}
