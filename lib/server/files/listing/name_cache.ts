import type { Child, FolderHandle } from "../../access/folder_handle.ts";
import { readNames } from "./listing.ts";
import type { OpenFolder } from "../../disk/disk.ts";
import type { Groups } from "./sort.ts";
import { type Facts, isSameEntry } from "../../disk/facts.ts";

/** How many names are kept in all. */
const capacity = 200_000;

/** A folder that changed less than so many milliseconds ago may change again with the same time. */
const settledMs = 2_000;

/** Names that were read, and what the folder looked like before that. */
interface Kept {
  names: Groups<Child>;
  links: Child[];
  info: Facts;
}

/**
 * Keeps the sorted names of folders, so that the second window of a large folder costs no more than
 * its own entries. What it gives is never stale: the folder must be the same, unchanged, and its
 * last change well before the names were read; links are followed anew.
 */
export class NameCache {
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>();
  #size = 0;

  /**
   * @param open the folder
   * @param viewer tells apart those who may not know of the same names
   */
  names(folder: FolderHandle, open: OpenFolder, viewer: string): Groups<Child> {
    const key = `${folder.real}\0${folder.path}\0${viewer}`;
    const kept = this.#kept.get(key);
    this.#drop(key);
    if (kept && isUnchanged(kept, folder)) {
      this.#keep(key, kept);
      return kept.names;
    }
    const readAt = Date.now();
    const names = readNames(folder, open);
    const links = [...names.folders, ...names.files].filter((child) => child.target !== null);
    const changed = Math.max(
      ...[folder.info.mtime, folder.info.ctime].map((t) => Number(t ?? readAt)),
    );
    if (readAt - changed > settledMs) this.#keep(key, { names, links, info: folder.info });
    return names;
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.set(key, kept);
    this.#size += sizeOf(kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= capacity) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (!kept) return;
    this.#kept.delete(key);
    this.#size -= sizeOf(kept);
  }
}

function isUnchanged({ info, links }: Kept, folder: FolderHandle): boolean {
  const now = folder.info;
  const sameTimes = Number(now.mtime) === Number(info.mtime) &&
    Number(now.ctime) === Number(info.ctime);
  return sameTimes && isSameEntry(now, info) && links.every((link) => isSameLink(folder, link));
}

function isSameLink(folder: FolderHandle, link: Child): boolean {
  const now = folder.follow(link);
  const before = link.target;
  if (!now?.target || !before || now.isFolder !== link.isFolder) return false;
  // The target's size and times are shown: let them be read anew when they changed.
  if (now.target.kind !== "inside" || before.kind !== "inside") {
    return now.target.kind === before.kind;
  }
  return now.target.real === before.real && isSameEntry(now.target.info, before.info) &&
    now.target.info.size === before.info.size &&
    Number(now.target.info.mtime) === Number(before.info.mtime);
}

function sizeOf({ names }: Kept): number {
  return names.folders.length + names.files.length;
}
