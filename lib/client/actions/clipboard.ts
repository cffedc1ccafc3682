import { type ReadonlySignal, signal } from "@preact/signals";
import type { EntryPath } from "../../shared/path.ts";

/** Entries that were copied or cut, to be pasted elsewhere. */
export interface Clip {
  action: "copy" | "move";
  /** The folder that they lie in. */
  folder: EntryPath;
  names: ReadonlySet<string>;
}

/** What was copied or cut last. It outlives the way through folders, and ends with the page. */
export class Clipboard {
  readonly #now = signal<Clip | null>(null);

  /** What there is to paste; null for nothing. */
  get now(): ReadonlySignal<Clip | null> {
    return this.#now;
  }

  /** Takes the place of what was there. */
  put(clip: Clip): void {
    this.#now.value = clip;
  }

  /** Forgets what was there. */
  clear(): void {
    this.#now.value = null;
  }

  /** The names of a folder's entries that are cut: they wait to leave, and look like it. */
  cutIn(folder: EntryPath): ReadonlySet<string> | null {
    const clip = this.#now.value;
    return clip?.action === "move" && clip.folder === folder ? clip.names : null;
  }
}
