import type { FileHandle } from "../../core/access/file_handle.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import type { OpenFile } from "../../core/disk/disk.ts";
import type { Facts } from "../../core/disk/facts.ts";
import type { Access } from "../../core/access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { maxTextBytes, sniffLength } from "./types.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";

/** Up to this many bytes are read synchronously: cheaper than a thread. */
const shortRead = 256 * 1024;

/**
 * A file read sequentially, in steps that may be aborted at any point: `using` closes it at the end
 * of the block.
 */
export class FileReading implements Disposable {
  /** Bytes that the last {@link fill} read; 0 at the end. */
  count = 0;
  readonly #file: OpenFile;
  readonly #action: string;
  #position = 0;

  /** @throws {DomainError} as `FileHandle.openSync()` */
  constructor(handle: FileHandle) {
    this.#action = `Cannot read "${handle.path}"`;
    this.#file = handle.openSync();
  }

  /** The file's current facts. */
  get info(): Facts {
    return this.#file.facts();
  }

  /** Continues reading at an offset. */
  seek(position: number): void {
    this.#position = position;
  }

  /**
   * Reads the next bytes into a buffer; the failure of a read that is no longer awaited is ignored.
   *
   * @throws {DomainError} `disk_error`
   */
  fill(buffer: Uint8Array<ArrayBuffer>): Promise<void> {
    const reading = this.#read(buffer);
    reading.catch(() => {});
    return reading;
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }

  async #read(buffer: Uint8Array<ArrayBuffer>): Promise<void> {
    try {
      this.count = buffer.length <= shortRead
        ? this.#file.read(buffer, this.#position)
        : await this.#file.readLater(buffer, this.#position);
    } catch (error) {
      throw asRefusal(error, this.#action);
    }
    this.#position += this.count;
  }
}

/** The first 512 bytes, to detect the type. Needs no permission: they must not leave the server. */
export function readStart(access: Access, path: EntryPath): Uint8Array {
  using file = access.peek(path).openSync();
  const buffer = new Uint8Array(sniffLength);
  try {
    return buffer.subarray(0, file.read(buffer, 0));
  } catch (error) {
    throw asRefusal(error, `Cannot read "${path}"`);
  }
}

/** All the bytes of a file, with its facts at that time. */
export interface Content {
  bytes: Uint8Array<ArrayBuffer>;
  info: Facts;
}

/** Chunk size, in bytes. */
const chunk = 1024 * 1024;

/**
 * Reads a file of at most 10 MiB; of a larger one, only the facts.
 *
 * @throws {DomainError} `forbidden` without the permission to download, `not_found`, `not_a_file`
 */
export async function readContent(
  access: Access,
  path: EntryPath,
  pauses: Pauses,
): Promise<Content> {
  using file = new FileReading(access.read(path));
  return await readWhole(file, pauses);
}

/** Same as {@link readContent}, for an open file, which stays open. */
export async function readWhole(file: FileReading, pauses: Pauses): Promise<Content> {
  const { info } = file;
  if (info.size > maxTextBytes) return { bytes: new Uint8Array(), info };
  const buffer = new Uint8Array(info.size);
  let filled = 0;
  do {
    await file.fill(buffer.subarray(filled, filled + chunk));
    filled += file.count;
    if (pauses.isDue) await pauses.pause();
  } while (file.count > 0 && filled < buffer.length);
  return { bytes: buffer.subarray(0, filled), info };
}
