/** A local file or folder to upload. */
export interface Incoming {
  /** The names from the destination down: ["photos", "sea.jpg"]. */
  segments: string[];
  /** Null for a folder. */
  file: File | null;
  /** Set when the browser could not read it. */
  unreadable?: boolean;
}

/** A dropped file or folder: a `FileSystemEntry` where the browser supports those. */
export type DroppedRoot = FileSystemEntry | File;

/**
 * The dropped files and folders, without reading folders. Call it inside the drop event: afterwards
 * the browser clears the list.
 */
export function rootsOf(dropped: Pick<DataTransfer, "items">): DroppedRoot[] {
  return [...dropped.items].filter((item) => item.kind === "file").flatMap((item) => {
    const root = item.webkitGetAsEntry?.() ?? item.getAsFile();
    return root === null ? [] : [root];
  });
}

/** The files of a file input, with their relative paths if it accepts folders. */
export function readInput(files: Iterable<File>): Incoming[] {
  return Array.from(files, (file) => {
    const segments = file.webkitRelativePath.split("/").filter((segment) => segment !== "");
    return { segments: segments.length > 0 ? segments : [file.name], file };
  });
}
