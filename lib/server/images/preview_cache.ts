import { join } from "node:path";
import { wholeFormatOf } from "./encoded_preview.ts";
import type { PreviewFormat } from "./preview.ts";

/** A preview as it is sent. */
export interface EncodedPreview {
  bytes: Uint8Array<ArrayBuffer>;
  format: PreviewFormat;
}

/** What the files that are being written end with. */
export const unfinished = ".part";

/** A preview in use counts as used again after this long, in milliseconds. */
const touchMs = 60 * 60_000;
/** How many touched previews are remembered. */
const mostTouched = 10_000;

/**
 * Keeps previews on the disk, each in a file named by its key, where all threads and processes find
 * them. A file takes its name when it is whole; its time of modification says when it was last
 * used. Nothing in it is needed: it may be deleted at any time.
 */
export class PreviewCache {
  readonly #folder: string;
  /** When previews were touched, by key, the oldest first. */
  readonly #touched = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The preview of a key; null when there is none, or only a damaged one. */
  async read(key: string): Promise<EncodedPreview | null> {
    const path = this.#pathOf(key);
    try {
      const bytes = await Deno.readFile(path);
      const format = wholeFormatOf(bytes);
      if (format) this.#touch(key, path);
      return format && { bytes, format };
    } catch {
      return null;
    }
  }

  /**
   * Keeps a preview. Blocks for as long as the disk takes: for Workers.
   *
   * @throws what the disk says
   */
  writeSync(key: string, bytes: Uint8Array): void {
    const path = this.#pathOf(key);
    const part = `${path}.${crypto.randomUUID()}${unfinished}`;
    Deno.mkdirSync(this.#shardOf(key), { recursive: true, mode: 0o700 });
    try {
      Deno.writeFileSync(part, bytes, { mode: 0o600, createNew: true });
      Deno.renameSync(part, path);
    } catch (error) {
      removeIfThere(part);
      throw error;
    }
  }

  #touch(key: string, path: string): void {
    const now = Date.now();
    if (now - (this.#touched.get(key) ?? 0) < touchMs) return;
    this.#touched.delete(key);
    this.#touched.set(key, now);
    const [oldest] = this.#touched.keys();
    if (this.#touched.size > mostTouched && oldest) this.#touched.delete(oldest);
    try {
      Deno.utimeSync(path, new Date(now), new Date(now));
    } catch {
      // Somebody removed it meanwhile, which is no loss.
    }
  }

  /** Two digits of the key spread the files over 256 folders. */
  #shardOf(key: string): string {
    return join(this.#folder, key.slice(0, 2));
  }

  #pathOf(key: string): string {
    return join(this.#shardOf(key), key);
  }
}

/** Removes a file of the cache; another thread may have done so. */
export function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // Gone, or not ours to remove.
  }
}
