/** A local file or folder to upload. */
export interface Incoming {
  /** The names from the destination down: ["photos", "sea.jpg"]. */
  segments: string[];
  /** Null for a folder. */
  file: File | null;
  /** Set when the browser could not read it. */
  unreadable?: boolean;
  /** By which the browser opens the file again after a reload, where it offers that. */
  handle?: FileSystemHandle | null;
}

/** A dropped file or folder. */
export interface DroppedRoot {
  /** A `FileSystemEntry` where the browser supports those. */
  entry: FileSystemEntry | File;
  handle?: Promise<FileSystemHandle | null>;
}

/** Handles of dropped files are offered by some browsers only. */
type DroppedItem = DataTransferItem & {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
};

/**
 * The dropped files and folders, without reading folders. Call it inside the drop event: afterwards
 * the browser clears the list.
 */
export function rootsOf(dropped: Pick<DataTransfer, "items">): DroppedRoot[] {
  return [...dropped.items].filter((item) => item.kind === "file").flatMap((item) => {
    const entry = item.webkitGetAsEntry?.() ?? item.getAsFile();
    const handle = (item as DroppedItem).getAsFileSystemHandle?.().catch(() => null);
    return entry === null ? [] : [{ entry, handle }];
  });
}

/** The files of a file input, with their relative paths if it accepts folders. */
export function readInput(files: Iterable<File>): Incoming[] {
  return Array.from(files, (file) => {
    const segments = file.webkitRelativePath.split("/").filter((segment) => segment !== "");
    return { segments: segments.length > 0 ? segments : [file.name], file };
  });
}
