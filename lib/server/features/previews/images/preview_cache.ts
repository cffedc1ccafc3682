import { LruCache } from "../../../../shared/lru_cache.ts";
import { CacheFolder } from "../cache_folder.ts";
import { maxHashBytes, type PreviewFormat } from "./preview.ts";

/** A preview, ready to send. */
export interface EncodedPreview {
  bytes: Uint8Array<ArrayBuffer>;
  format: PreviewFormat;
}

/** Ends a file of the cache that has a ThumbHash; the hash's length follows, the hash precedes. */
const mark = new TextEncoder().encode("CubbyTH");
const tailBytes = mark.length + 1;

/** Memory for the previews that were read last, in bytes: a few hundred thumbnails. */
const maxRecentBytes = 4 * 2 ** 20;
/** The longest preview that is kept in memory, in bytes: a large one would displace dozens. */
const maxRecentLength = 64 * 1024;

/**
 * Caches previews, each in a file named by its key; that of a thumbnail has the ThumbHash, too. Each
 * thread keeps small previews that it has read in memory: a key has one preview, whatever happens
 * to its file.
 */
export class PreviewCache {
  readonly #files: CacheFolder;
  readonly #recent = new LruCache<string, EncodedPreview>(
    maxRecentBytes,
    ({ bytes }) => bytes.buffer.byteLength,
  );

  /** @param maxBytes as of {@linkcode CacheFolder} */
  constructor(folder: string, maxBytes?: number) {
    this.#files = new CacheFolder(folder, maxBytes);
  }

  /** The preview of a key, which its readers share; null without a complete one. */
  async read(key: string): Promise<EncodedPreview | null> {
    const recent = this.#recent.get(key);
    // Removed: the next request makes it again, with its ThumbHash.
    if (recent && !this.#files.touch(key)) this.#recent.delete(key);
    if (recent) return recent;
    const preview = previewIn(await this.#files.read(key));
    if (preview && preview.bytes.length <= maxRecentLength) this.#recent.set(key, preview);
    return preview;
  }

  /** The ThumbHash beside the preview of a key; null without one. */
  async hashOf(key: string): Promise<Uint8Array | null> {
    const end = await this.#files.readEnd(key, maxHashBytes + tailBytes);
    return end && splitHash(end).hash;
  }

  /**
   * Stores a preview.
   *
   * @param hash the ThumbHash of a thumbnail
   * @throws errors of the disk
   */
  async write(key: string, preview: Uint8Array, hash: Uint8Array | null = null): Promise<void> {
    await this.#files.write(key, hash ? joinHash(preview, hash) : preview);
  }

  /** As {@linkcode CacheFolder.sweep}. */
  async sweep(): Promise<void> {
    await this.#files.sweep();
  }
}

/** The preview in a file of the cache; null without a complete one. */
function previewIn(file: Uint8Array<ArrayBuffer> | null): EncodedPreview | null {
  if (!file) return null;
  const { preview: bytes } = splitHash(file);
  const format = wholeFormatOf(bytes);
  return format && { bytes, format };
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
