import { type ReadonlySignal, signal } from "@preact/signals";
import type { EntryPath } from "../../shared/path.ts";

/** Entries that were copied or cut, to be pasted elsewhere. */
export interface Clip {
  action: "copy" | "move";
  /** The folder that they lie in. */
  folder: EntryPath;
  names: ReadonlySet<string>;
}

/** The entries that were copied or cut last, kept across folders until the page is left. */
export class Clipboard {
  readonly #now = signal<Clip | null>(null);

  /** The entries to paste; null if there are none. */
  readonly now: ReadonlySignal<Clip | null> = this.#now;

  /** Takes the place of what was there. */
  put(clip: Clip): void {
    this.#now.value = clip;
  }

  /** Forgets what was there. */
  clear(): void {
    this.#now.value = null;
  }

  /** The names of the cut entries of a folder, which are shown dimmed. */
  cutIn(folder: EntryPath): ReadonlySet<string> | null {
    const clip = this.#now.value;
    return clip?.action === "move" && clip.folder === folder ? clip.names : null;
  }
}
