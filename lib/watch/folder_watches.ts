import { basename } from "node:path";
import type { FolderHandle } from "../access/folder_handle.ts";
import { isSameEntry } from "../disk/facts.ts";
import { DomainError } from "../errors.ts";

/**
 * Told of a change in a watched folder: the name of the entry; "" when the folder itself went; null
 * when so much happened at once that nobody knows the names.
 */
export type Listener = (name: string | null) => void;

interface Watch {
  folder: FolderHandle;
  disk: Deno.FsWatcher;
  listeners: Set<Listener>;
}

/** How many folders one thread watches at most: the kernel has a bound for all of its processes. */
const mostFolders = 256;

/** Watches single folders, never what is below them; those who look at the same folder share. */
export class FolderWatches {
  readonly #watches = new Map<string, Watch>();

  /**
   * Watches a folder until the answer is called.
   *
   * @throws {DomainError} `throttled` when too many are watched, or the folder has just taken the
   * place of another; `not_supported` when it can't be watched
   */
  watch(folder: FolderHandle, listener: Listener): () => void {
    const known = this.#watches.get(folder.real);
    if (known && !isSameEntry(known.folder.info, folder.info)) {
      // It was moved away, with a folder above it. One watch a name: the old one goes first.
      this.#retire(known);
      throw new DomainError("throttled", `Cannot watch "${folder.path}": it was just replaced`, 1);
    }
    const watch = known ?? this.#open(folder);
    watch.listeners.add(listener);
    return () => {
      watch.listeners.delete(listener);
      if (watch.listeners.size === 0) this.#close(watch);
    };
  }

  #open(folder: FolderHandle): Watch {
    const { real, path } = folder;
    if (this.#watches.size >= mostFolders) {
      throw new DomainError(
        "throttled",
        `Cannot watch "${path}": too many folders are watched`,
        30,
      );
    }
    const watch = { folder, disk: openDisk(folder), listeners: new Set<Listener>() };
    this.#watches.set(real, watch);
    void this.#read(watch);
    return watch;
  }

  async #read(watch: Watch): Promise<void> {
    const { real } = watch.folder;
    for await (const { kind, paths } of watch.disk) {
      // Opening and closing an entry changes nothing.
      if (kind === "access") continue;
      if (kind === "remove" && paths.includes(real)) return this.#retire(watch);
      if (paths.length === 0 || paths.includes(real)) tell(watch, null);
      else for (const path of paths) tell(watch, basename(path));
    }
  }

  /** Closes the watch of a folder that is no longer there, so that its successor gets its own. */
  #retire(watch: Watch): void {
    this.#close(watch);
    tell(watch, "");
  }

  #close(watch: Watch): void {
    const { real } = watch.folder;
    if (this.#watches.get(real) !== watch) return;
    this.#watches.delete(real);
    watch.disk.close();
  }
}

function openDisk({ real, path }: FolderHandle): Deno.FsWatcher {
  try {
    return Deno.watchFs(real, { recursive: false });
  } catch {
    throw new DomainError("not_supported", `Cannot watch "${path}": its disk tells of no changes`);
  }
}

function tell({ listeners }: Watch, name: string | null): void {
  for (const listener of [...listeners]) listener(name);
}
