import { type ReadonlySignal, signal } from "@preact/signals";
import type { EntryPath } from "../../../shared/path.ts";

/** Entries that were copied or cut, to be pasted elsewhere. */
export interface Clip {
  action: "copy" | "move";
  /** Their folder. */
  folder: EntryPath;
  names: ReadonlySet<string>;
}

/** The entries that were copied or cut last, kept across folders until the page is left. */
export class Clipboard {
  readonly #now = signal<Clip | null>(null);

  /** The entries to paste; null if there are none. */
  readonly now: ReadonlySignal<Clip | null> = this.#now;

  /** Replaces the content. */
  put(clip: Clip): void {
    this.#now.value = clip;
  }

  /** Clears the clipboard. */
  clear(): void {
    this.#now.value = null;
  }

  /** The names of the cut entries of a folder, which are shown dimmed. */
  cutIn(folder: EntryPath): ReadonlySet<string> | null {
    const clip = this.#now.value;
    return clip?.action === "move" && clip.folder === folder ? clip.names : null;
  }
}
