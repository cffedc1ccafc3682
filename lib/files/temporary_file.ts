import { closeSync, constants, fchmodSync, fchownSync, fstatSync, openSync } from "node:fs";
import { DomainError } from "../errors.ts";
import { isSameEntry } from "../access/identity.ts";
import { lstatIfThere } from "../access/lstat.ts";
import { makeTemporaryName } from "../access/names.ts";
import { asRefusal } from "../access/os_errors.ts";
import { realChild, type RealPath } from "../access/real_path.ts";
import type { WriteHandle } from "../access/write_handle.ts";
import { holdFolder } from "./folder_hold.ts";

/** The bytes of an upload as they come from the network. */
export type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** More bytes than Deno's stream into a file keeps back. */
const longestTail = 256 * 1024;

/**
 * A hidden file beside the target of an upload, which takes all bytes before the target's name is
 * touched. Nobody can list or reach it, and a sweep knows it by its name.
 */
export class TemporaryFile {
  readonly real: RealPath;
  readonly #file: Deno.FsFile;
  readonly #info: Deno.FileInfo;
  readonly #hold: AsyncDisposable;

  /**
   * Makes the file. It must not be there: a link laid in its place is never followed.
   *
   * @throws {DomainError} `forbidden` when a folder was swapped meanwhile; `disk_full`, `read_only`
   */
  constructor(target: WriteHandle, action: string) {
    this.real = realChild(target.folder, makeTemporaryName());
    try {
      this.#file = Deno.openSync(this.real, { write: true, createNew: true });
    } catch (error) {
      throw asRefusal(error, action);
    }
    this.#info = this.#file.statSync();
    this.#hold = holdFolder(target.folder);
    try {
      target.verify();
      this.verify(action);
    } catch (error) {
      this.#file.close();
      void this.#hold[Symbol.asyncDispose]();
      this.#unlink();
      throw error;
    }
  }

  /**
   * Takes a body in, without looking at its chunks, and leaves it safely on the disk.
   *
   * @param options.expectedLength the number of bytes announced
   * @throws {DomainError} `invalid_body` when the body breaks off or has another length;
   * `disk_full`
   */
  async fill(
    body: Body | null,
    action: string,
    options: { expectedLength?: number; signal?: AbortSignal },
  ): Promise<void> {
    const { expectedLength, signal } = options;
    try {
      if (body && expectedLength === undefined) {
        await body.pipeTo(sinkInto(this.#file), { signal });
      } else if (body) {
        await body.pipeTo(this.#fastSink(action), { signal });
      }
    } catch (error) {
      const refusal = asRefusal(error, action);
      if (refusal instanceof DomainError) throw refusal;
      throw new DomainError("invalid_body", `${action}: the body broke off`);
    }
    if (expectedLength !== undefined) this.#checkLength(expectedLength, action);
    try {
      await this.#file.sync();
    } catch (error) {
      throw asRefusal(error, action);
    }
  }

  /** Gives the file the owner, as far as the system allows, and the permissions of another. */
  takeRightsOf({ mode, uid, gid }: Deno.FileInfo): void {
    const flags = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);
    const descriptor = openSync(this.real, flags);
    try {
      const own = fstatSync(descriptor);
      if (own.ino !== this.#info.ino || own.dev !== this.#info.dev) return;
      if (uid !== null && gid !== null && (uid !== own.uid || gid !== own.gid)) {
        tryTo(() => fchownSync(descriptor, uid, gid));
      }
      if (mode !== null) tryTo(() => fchmodSync(descriptor, mode & 0o777));
    } finally {
      closeSync(descriptor);
    }
  }

  /**
   * Proves that the name still belongs to this very file.
   *
   * @throws {DomainError} `forbidden`
   */
  verify(action: string): void {
    const now = lstatIfThere(this.real);
    if (now && isSameEntry(now, this.#info)) return;
    throw new DomainError("forbidden", `${action}: the upload was tampered with`);
  }

  /** Closes the file, and removes it unless it has taken its final name. */
  async dispose(): Promise<void> {
    tryTo(() => this.#file.close());
    this.#unlink();
    await this.#hold[Symbol.asyncDispose]();
  }

  /**
   * Deno's own stream into a file is the fastest way, but it keeps the last bytes back until it
   * closes the file, and does not say when they did not fit. So it gets an open file of its own, and
   * is for bodies whose length is known.
   */
  #fastSink(action: string): WritableStream<Uint8Array<ArrayBuffer>> {
    const file = Deno.openSync(this.real, { write: true });
    if (isSameEntry(file.statSync(), this.#info)) return file.writable;
    file.close();
    throw new DomainError("forbidden", `${action}: the upload was tampered with`);
  }

  #checkLength(expected: number, action: string): void {
    const { size } = this.#file.statSync();
    if (size === expected) return;
    try {
      // Was it the disk that did not take the rest?
      this.#file.seekSync(size, Deno.SeekMode.Start);
      this.#file.writeSync(new Uint8Array(Math.max(0, Math.min(expected - size, longestTail))));
    } catch (error) {
      throw asRefusal(error, action);
    }
    throw new DomainError("invalid_body", `${action}: ${size} of ${expected} bytes came`);
  }

  #unlink(): void {
    tryTo(() => {
      const now = lstatIfThere(this.real);
      if (now && isSameEntry(now, this.#info)) Deno.removeSync(this.real);
    });
  }
}

/** Writes every chunk at once and says when it does not fit. Closing it leaves the file open. */
function sinkInto(file: Deno.FsFile): WritableStream<Uint8Array<ArrayBuffer>> {
  return new WritableStream({
    async write(chunk) {
      for (let start = 0; start < chunk.length;) start += await file.write(chunk.subarray(start));
    },
  });
}

/** For what is better done, but whose failure changes nothing for the caller. */
function tryTo(action: () => void): void {
  try {
    action();
  } catch {
    // The file system or the user's rights do not allow it.
  }
}
