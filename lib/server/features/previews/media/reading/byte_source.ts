import type { OpenFile } from "../../../../core/disk/disk.ts";

/** Bytes read ahead, so that many small reads make few system calls. */
const windowBytes = 64 * 1024;

/** Reads parts of an open file. Blocks on the disk: for Workers. */
export class ByteSource {
  readonly #file: OpenFile;
  /** In bytes. */
  readonly size: number;
  #window: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  #start = 0;

  constructor(file: OpenFile, size = file.facts().size) {
    this.#file = file;
    this.size = size;
  }

  /** Up to `length` bytes from a position: fewer at the end of the file. */
  bytes(position: number, length: number): Uint8Array<ArrayBuffer> {
    const count = Math.max(0, Math.min(length, this.size - position));
    const offset = position - this.#start;
    if (offset >= 0 && offset + count <= this.#window.length) {
      return this.#window.subarray(offset, offset + count);
    }
    if (count > windowBytes) return this.#read(position, count);
    this.#window = this.#read(position, Math.min(windowBytes, this.size - position));
    this.#start = position;
    return this.#window.subarray(0, count);
  }

  /** A view of exactly these bytes. @throws RangeError at the end of the file */
  view(position: number, length: number): DataView {
    const bytes = this.bytes(position, length);
    if (bytes.length < length) throw new RangeError("Cannot read: the file ends");
    return new DataView(bytes.buffer, bytes.byteOffset, length);
  }

  #read(position: number, length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length);
    let done = 0;
    for (let count = -1; done < length && count !== 0; done += count) {
      count = this.#file.read(bytes.subarray(done), position + done);
    }
    return bytes.subarray(0, done);
  }
}
