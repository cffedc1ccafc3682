import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  read,
  readSync,
  write,
  writeSync,
} from "node:fs";
import type { Attributes } from "./attributes.ts";
import type { OpenFile } from "./disk.ts";
import { DiskError, errorWord } from "./disk_error.ts";
import type { Facts } from "./facts.ts";

/** An open file of the portable disk, by a descriptor of `node:fs`. */
export class PortableFile implements OpenFile {
  #descriptor: number;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  get descriptorNumber(): number {
    return this.#descriptor;
  }

  facts(): Facts {
    const stats = fstatSync(this.#descriptor);
    return {
      ...stats,
      isFile: stats.isFile(),
      isDirectory: stats.isDirectory(),
      isSymlink: false,
      birthtime: stats.birthtime,
    };
  }

  read(into: Uint8Array<ArrayBuffer>, position: number): number {
    return readSync(this.#descriptor, into, 0, into.length, position);
  }

  readLater(into: Uint8Array<ArrayBuffer>, position: number): Promise<number> {
    return new Promise((resolve, reject) => {
      read(this.#descriptor, into, 0, into.length, position, (error, count) => {
        if (error) reject(asDiskError(error));
        else resolve(count);
      });
    });
  }

  write(bytes: Uint8Array<ArrayBuffer>, position: number): void {
    for (let done = 0; done < bytes.length;) {
      done += writeSync(this.#descriptor, bytes, done, bytes.length - done, position + done);
    }
  }

  async writeLater(bytes: Uint8Array<ArrayBuffer>, position: number): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      done += await new Promise<number>((resolve, reject) => {
        const [length, at] = [bytes.length - done, position + done];
        write(this.#descriptor, bytes, done, length, at, (error, count) => {
          if (error) reject(asDiskError(error));
          else resolve(count);
        });
      });
    }
  }

  copyRange(): null {
    return null;
  }

  nextData(position: number): { start: number; end: number } {
    return { start: position, end: Infinity };
  }

  setSize(size: number): void {
    ftruncateSync(this.#descriptor, size);
  }

  /** Neither Deno nor Node.js reads attributes. */
  attributes(): Attributes {
    return new Map();
  }

  setAttribute(): void {
    throw new DiskError("ENOTSUP", "disk");
  }

  setMode(mode: number): void {
    fchmodSync(this.#descriptor, mode);
  }

  setOwner(uid: number, gid: number): void {
    fchownSync(this.#descriptor, uid, gid);
  }

  setTimes(times: Facts): void {
    setTimes(this.#descriptor, times);
  }

  async sync(): Promise<void> {
    await Promise.resolve();
    fsyncSync(this.#descriptor);
  }

  beginSync(): Promise<void> {
    return Promise.resolve();
  }

  lock(): boolean {
    return true;
  }

  [Symbol.dispose](): void {
    if (this.#descriptor >= 0) closeSync(this.#descriptor);
    this.#descriptor = -1;
  }
}

/** Copies the times of another entry to an open one. */
export function setTimes(descriptor: number, { atime, mtime }: Facts): void {
  const seconds = (time: Date | null) => (time?.getTime() ?? Date.now()) / 1000;
  futimesSync(descriptor, seconds(atime), seconds(mtime));
}

/** Converts errors of Deno and of `node:fs` to {@link DiskError}. */
export function asDiskError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DiskError) return error;
  if ("code" in error && typeof error.code === "string") return new DiskError(error.code, "disk");
  if (error instanceof Deno.errors.NotCapable) return new DiskError("EACCES", "disk");
  if (error instanceof Deno.errors.PermissionDenied) return new DiskError("EACCES", "disk");
  if (error instanceof Deno.errors.NotFound) return new DiskError("ENOENT", "disk");
  if (error instanceof Deno.errors.AlreadyExists) return new DiskError("EEXIST", "disk");
  const number = /\(os error (\d+)\)/.exec(error.message)?.[1];
  return number === undefined ? error : new DiskError(errorWord(Number(number)), "disk");
}
