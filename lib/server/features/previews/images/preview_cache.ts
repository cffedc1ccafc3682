import { join } from "node:path";
import { LruCache } from "../../../../shared/lru_cache.ts";
import { maxHashBytes, type PreviewFormat } from "./preview.ts";

/** A preview, ready to send. */
export interface EncodedPreview {
  bytes: Uint8Array<ArrayBuffer>;
  format: PreviewFormat;
}

/** A text of the cache; null for one that is known already. */
interface KeptText {
  text: string | null;
  /** In milliseconds since 1970. */
  written: number;
}

/** Ends a file of the cache that has a ThumbHash; the hash's length follows, the hash precedes. */
const mark = new TextEncoder().encode("CubbyTH");
const tailBytes = mark.length + 1;

/** Suffix of files being written. */
export const unfinished = ".part";

/** Minimum interval between two updates of a preview's last use, in milliseconds. */
const touchMs = 60 * 60_000;
/** Maximum number of remembered updates. */
const maxTouched = 10_000;

/** Memory for the previews that were read last, in bytes: a few hundred thumbnails. */
const maxRecentBytes = 4 * 2 ** 20;
/** The longest preview that is kept in memory, in bytes: a large one would displace dozens. */
const maxRecentLength = 64 * 1024;

/**
 * Caches previews on the disk, and the facts of the files in a folder, each in a file named by its key, shared by all threads and
 * processes. Writes are atomic; the modification time is that of the last use. The cache may be
 * deleted at any time. Each thread keeps small previews that it has read in memory, too: a key has
 * one preview, whatever happens to its file.
 */
export class PreviewCache {
  readonly #folder: string;
  /** Time of the last update by key. */
  readonly #touched = new LruCache<string, number>(maxTouched);
  readonly #recent = new LruCache<string, EncodedPreview>(
    maxRecentBytes,
    ({ bytes }) => bytes.buffer.byteLength,
  );

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The preview of a key, which its readers share; null without a complete one. */
  async read(key: string): Promise<EncodedPreview | null> {
    const path = this.#pathOf(key);
    const preview = this.#recent.get(key) ?? await readPreview(path);
    if (!preview) return null;
    if (preview.bytes.length <= maxRecentLength) this.#recent.set(key, preview);
    this.#touch(key, path);
    return preview;
  }

  /** The ThumbHash beside the preview of a key; null without one. */
  async hashOf(key: string): Promise<Uint8Array | null> {
    try {
      using file = await Deno.open(this.#pathOf(key));
      const { size } = await file.stat();
      const end = new Uint8Array(Math.min(size, maxHashBytes + tailBytes));
      await file.seek(size - end.length, Deno.SeekMode.Start);
      if (await file.read(end) !== end.length) return null;
      return splitHash(end).hash;
    } catch {
      return null;
    }
  }

  /** The facts of a folder's files, and when they were written; null without any. */
  async readFacts(key: string, since: number): Promise<KeptText | null> {
    const path = this.#pathOf(key);
    try {
      const written = (await Deno.stat(path)).mtime?.getTime() ?? 0;
      if (written === since) return { text: null, written };
      const text = await Deno.readTextFile(path);
      return { text, written };
    } catch {
      return null;
    }
  }

  /**
   * Stores the facts of a folder's files.
   *
   * @returns when, in milliseconds since 1970; 0 where the disk has refused them
   */
  async writeFacts(key: string, text: string): Promise<number> {
    const path = this.#pathOf(key);
    const part = `${path}.${crypto.randomUUID()}${unfinished}`;
    try {
      await Deno.mkdir(this.#shardOf(key), { recursive: true, mode: 0o700 });
      await Deno.writeTextFile(part, text, { mode: 0o600, createNew: true });
      await Deno.rename(part, path);
      return (await Deno.stat(path)).mtime?.getTime() ?? 0;
    } catch {
      removeIfThere(part);
      return 0;
    }
  }

  /**
   * Stores a preview. Blocks on the disk: for Workers.
   *
   * @param hash the ThumbHash of a thumbnail
   * @throws errors of the disk
   */
  writeSync(key: string, preview: Uint8Array, hash: Uint8Array | null = null): void {
    const bytes = hash ? joinHash(preview, hash) : preview;
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
    this.#touched.set(key, now);
    try {
      Deno.utimeSync(path, new Date(now), new Date(now));
    } catch {
      // Removed: the next request makes it again, with its ThumbHash.
      this.#recent.delete(key);
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

/** Reads a preview of the cache; null without a complete one. */
async function readPreview(path: string): Promise<EncodedPreview | null> {
  try {
    const { preview: bytes } = splitHash(await Deno.readFile(path));
    const format = wholeFormatOf(bytes);
    return format && { bytes, format };
  } catch {
    return null;
  }
}

function joinHash(preview: Uint8Array, hash: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(preview.length + hash.length + tailBytes);
  bytes.set(preview);
  bytes.set(hash, preview.length);
  bytes.set(mark, bytes.length - tailBytes);
  bytes[bytes.length - 1] = hash.length;
  return bytes;
}

/** Takes the end of a file of the cache apart; one without a mark has no hash. */
function splitHash(
  bytes: Uint8Array<ArrayBuffer>,
): { preview: Uint8Array<ArrayBuffer>; hash: Uint8Array | null } {
  const start = bytes.length - tailBytes;
  const length = bytes.at(-1) ?? 0;
  const isMarked = start >= length && length <= maxHashBytes &&
    mark.every((byte, index) => bytes[start + index] === byte);
  if (!isMarked) return { preview: bytes, hash: null };
  return {
    preview: bytes.subarray(0, start - length),
    hash: bytes.slice(start - length, start),
  };
}

/** Removes a file of the cache; another thread may have done so. */
export function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // Already gone, or no permission.
  }
}

/**
 * The format of a complete encoded preview; null for anything else, such as a file that a crash
 * left incomplete in the cache.
 */
export function wholeFormatOf(bytes: Uint8Array): PreviewFormat | null {
  if (bytes.length < 20) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [riff, webp, jpegStart, jpegEnd] = [0x52494646, 0x57454250, 0xffd8, 0xffd9];
  if (view.getUint32(0) === riff && view.getUint32(8) === webp) {
    return view.getUint32(4, true) + 8 === bytes.length ? "webp" : null;
  }
  const isWhole = view.getUint16(0) === jpegStart && view.getUint16(bytes.length - 2) === jpegEnd;
  return isWhole ? "jpeg" : null;
}
