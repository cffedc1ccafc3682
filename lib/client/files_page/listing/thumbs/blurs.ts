import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { thumbHashToDataURL } from "thumbhash";
import type { ThumbHashes } from "../../../../shared/api_types.ts";
import { type EntryPath, parsePath } from "../../../../shared/path.ts";
import type { Result } from "../../../../shared/result.ts";
import { maxHashedPaths } from "../../../../shared/schemas/choices/choices.ts";

/** Reads the ThumbHashes of entries, by their paths. */
export type ReadHashes = (paths: readonly EntryPath[]) => Promise<Result<ThumbHashes>>;

/**
 * The blurred pictures that stand where thumbnails are loading: some 25 bytes each, which the
 * server has of every thumbnail that it has made before. Each is asked for once.
 */
export class Blurs {
  readonly #read: ReadHashes | undefined;
  readonly #shown = new Map<string, Signal<string | null>>();
  readonly #asked = new Set<string>();

  /** @param read reads hashes; undefined does without blurred pictures */
  constructor(read: ReadHashes | undefined) {
    this.#read = read;
  }

  /** The address of an entry's blurred picture; null while there is none. */
  of(key: string): ReadonlySignal<string | null> {
    const known = this.#shown.get(key) ?? signal(null);
    this.#shown.set(key, known);
    return known;
  }

  /** Reads the hashes of entries that were not asked for before. @param paths by their keys */
  async read(paths: ReadonlyMap<string, string>): Promise<void> {
    const asked = [...paths].filter(([key]) => !this.#asked.has(key)).slice(0, maxHashedPaths);
    if (asked.length === 0 || !this.#read) return;
    for (const [key] of asked) this.#asked.add(key);
    const answer = await this.#read(asked.map(([, path]) => parsePath(path).path));
    if (!answer.ok) return;
    for (const [key, path] of asked) {
      const hash = answer.value.hashes[path];
      const shown = this.#shown.get(key);
      if (hash !== undefined && shown) shown.value = drawn(hash);
    }
  }

  /** Drops the blurred picture of an entry: there is no thumbnail, or it is out of use. */
  forget(key: string): void {
    const shown = this.#shown.get(key);
    if (shown) shown.value = null;
    this.#shown.delete(key);
    this.#asked.delete(key);
  }
}

/** The address of a blurred picture; null where the hash is damaged. */
function drawn(hash: string): string | null {
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(hash), (byte) => byte.charCodeAt(0)));
  } catch {
    return null;
  }
}
