import { DiskError, errorWord, type OpenFile, type OpenFolder } from "./disk.ts";
import { lastError } from "./libc.ts";
import { AT_EMPTY_PATH, emptyPath, LinuxEntry } from "./linux_calls.ts";

const SEEK_DATA = 3;
const SEEK_HOLE = 4;

/** Begins to write without waiting; the next fsync reports a failure. */
const SYNC_FILE_RANGE_WRITE = 2;

/** Begins to write at once, and drops the pages then (Linux 6.14 and later; some file systems). */
const RWF_DONTCACHE = 0x80;

/** The errors of copy_file_range(2) after which another way is tried. */
const cannotCopy = new Set([
  "EXDEV",
  "EINVAL",
  "ENOSYS",
  "EOPNOTSUPP",
  "ENOTSUP",
  "EPERM",
  "ETXTBSY",
]);

/** An open file of a Linux disk. */
export class LinuxFile extends LinuxEntry implements OpenFile {
  /** Calls on other threads. */
  #underWay = 0;
  #isClosing = false;
  /** Until the system refuses. */
  #canBypassCache = true;

  get descriptorNumber(): number {
    return this.descriptor;
  }

  read(into: Uint8Array<ArrayBuffer>, position: number): number {
    return this.calls.check(
      this.calls.libc.pread(this.descriptor, into, BigInt(into.length), BigInt(position)),
      "pread",
    );
  }

  async readLater(into: Uint8Array<ArrayBuffer>, position: number): Promise<number> {
    const [length, at] = [BigInt(into.length), BigInt(position)];
    return await this.#whileOpen(async () => {
      const count = await this.calls.libc.preadLater(this.descriptor, into, length, at);
      // The errno is another thread's: repeat the call for it.
      return count < 0 ? this.read(into, position) : Number(count);
    });
  }

  async beginSync(start: number, length: number): Promise<void> {
    const range = [BigInt(start), BigInt(length)] as const;
    await this.#whileOpen(() =>
      this.calls.libc.syncRangeLater(this.descriptor, ...range, SYNC_FILE_RANGE_WRITE)
    );
  }

  async #whileOpen<T>(call: () => T | Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      return await call();
    } finally {
      this.#underWay--;
      if (this.#isClosing) this[Symbol.dispose]();
    }
  }

  /** Waits for calls under way: until they end, no other file must get the descriptor's number. */
  override [Symbol.dispose](): void {
    this.#isClosing = true;
    if (this.#underWay === 0) super[Symbol.dispose]();
  }

  write(bytes: Uint8Array<ArrayBuffer>, position: number): void {
    for (let done = 0; done < bytes.length;) {
      const rest = done === 0 ? bytes : bytes.subarray(done);
      const [length, at] = [BigInt(rest.length), BigInt(position + done)];
      done += this.calls.check(
        this.calls.libc.pwrite(this.descriptor, rest, length, at),
        "pwrite",
      );
    }
  }

  async writeLater(bytes: Uint8Array<ArrayBuffer>, position: number): Promise<void> {
    await this.#whileOpen(async () => {
      for (let done = 0; done < bytes.length;) {
        const rest = done === 0 ? bytes : bytes.subarray(done);
        const [length, at] = [BigInt(rest.length), BigInt(position + done)];
        const count = await this.calls.libc.pwriteLater(this.descriptor, rest, length, at);
        // The errno is another thread's: repeat the call for it.
        if (count < 0) return this.write(rest, position + done);
        done += Number(count);
      }
    });
  }

  async writeUncached(bytes: Uint8Array<ArrayBuffer>, position: number): Promise<void> {
    const done = this.#canBypassCache ? await this.#writeUncached(bytes, position) : 0;
    if (done < bytes.length) await this.writeLater(bytes.subarray(done), position + done);
  }

  /** @returns the number of bytes that were written; 0 for a failure, which another call tells */
  async #writeUncached(bytes: Uint8Array<ArrayBuffer>, position: number): Promise<number> {
    // By its buffer, which is never moved, as a short array of its own would be.
    const { buffer, byteOffset, length } = bytes;
    const address = this.calls.libc.addressOf(buffer, buffer, 0n) + BigInt(byteOffset);
    const vector = new BigUint64Array([address, BigInt(length)]);
    const count =
      await this.#whileOpen(() =>
        this.calls.libc.pwritev2Later?.(this.descriptor, vector, 1, BigInt(position), RWF_DONTCACHE)
      ) ?? -1;
    if (count < 0) this.#canBypassCache = false;
    return Math.max(Number(count), 0);
  }

  copyRange(to: OpenFile, position: number, length: number): number | null {
    const [from, target] = [offsetBytes(position), offsetBytes(position)];
    const [source, sink] = [this.descriptor, LinuxEntry.of(to)];
    const count = this.calls.libc.copyFileRange(source, from, sink, target, BigInt(length), 0);
    if (count >= 0) return Number(count);
    const word = errorWord(lastError());
    if (cannotCopy.has(word)) return null;
    throw new DiskError(word, "copy_file_range");
  }

  nextData(position: number): { start: number; end: number } | null {
    const start = Number(this.calls.libc.lseek(this.descriptor, BigInt(position), SEEK_DATA));
    if (start >= 0) {
      const end = this.calls.libc.lseek(this.descriptor, BigInt(start), SEEK_HOLE);
      return { start, end: this.calls.check(end, "lseek") };
    }
    const word = errorWord(lastError());
    if (word === "ENXIO") return null;
    if (word === "EINVAL") return { start: position, end: Infinity };
    throw new DiskError(word, "lseek");
  }

  giveName(folder: OpenFolder, name: string): void {
    const to = LinuxEntry.of(folder);
    const target = this.calls.cName(name);
    this.calls.check(
      this.calls.libc.linkat(this.descriptor, emptyPath, to, target, AT_EMPTY_PATH),
      "linkat",
    );
  }

  setSize(size: number): void {
    this.calls.check(this.calls.libc.ftruncate(this.descriptor, BigInt(size)), "ftruncate");
  }
}

function offsetBytes(offset: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new BigInt64Array([BigInt(offset)]).buffer);
}
