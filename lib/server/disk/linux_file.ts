import type { OpenFile } from "./disk.ts";
import { DiskError, errorWord } from "./disk_error.ts";
import { lastError } from "./libc.ts";
import { LinuxEntry } from "./linux_entry.ts";

const SEEK_DATA = 3;
const SEEK_HOLE = 4;

/** Begins to write without waiting; the next fsync reports a failure. */
const SYNC_FILE_RANGE_WRITE = 2;

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

  async #whileOpen<T>(call: () => Promise<T>): Promise<T> {
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

  copyRange(to: OpenFile, position: number, length: number): number | null {
    if (!(to instanceof LinuxFile)) throw new Error("Cannot mix files of two disks");
    const [from, target] = [offsetBytes(position), offsetBytes(position)];
    const [source, sink] = [this.descriptor, to.descriptor];
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

  setSize(size: number): void {
    this.calls.check(this.calls.libc.ftruncate(this.descriptor, BigInt(size)), "ftruncate");
  }
}

function offsetBytes(offset: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new BigInt64Array([BigInt(offset)]).buffer);
}
