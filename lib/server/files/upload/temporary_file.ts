import type { OpenFile, OpenFolder } from "../../disk/disk.ts";
import { tryTo } from "../../disk/disk_error.ts";
import { type Facts, isSameEntry } from "../../disk/facts.ts";
import { hasRawBytes } from "../../../shared/entry_names.ts";
import { DomainError } from "../../../shared/errors.ts";
import { makeTemporaryName } from "../../access/names.ts";
import { asRefusal } from "../../access/os_errors.ts";
import { lockUploadFolder } from "./folder_lock.ts";
import { renameToFree } from "./free_name.ts";

/** The bytes of an upload as they come from the network. */
export type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** More bytes than Deno's stream into a file keeps back. */
const longestTail = 256 * 1024;

/** Bodies up to this length are written in one go, in bytes. */
const smallBody = 256 * 1024;

/** The longest path that a system takes whole, in bytes. */
const longestPath = 4_000;

/**
 * A hidden file beside the target of an upload, which takes all bytes before the target's name is
 * touched. It can't be listed or reached, and a sweep knows it by its name.
 */
export class TemporaryFile implements Disposable {
  readonly #name = makeTemporaryName();
  readonly #folder: OpenFolder;
  readonly #file: OpenFile;
  readonly #hold: Disposable;
  #isNamed = false;

  /**
   * Makes the file. It must not be there: a link laid in its place is never followed.
   *
   * @param folder stays the caller's, who closes it after this file
   * @throws {DomainError} `forbidden`, `disk_full`, `read_only`
   */
  constructor(folder: OpenFolder, action: string) {
    this.#folder = folder;
    try {
      this.#file = folder.file(this.#name, "create");
    } catch (error) {
      throw asRefusal(error, action);
    }
    this.#hold = lockUploadFolder(folder);
  }

  /** Facts about the file as they are now. */
  facts(): Facts {
    return this.#file.facts();
  }

  /**
   * Takes a body in, and leaves it safely on the disk.
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
      if (body) await body.pipeTo(await this.#sink(expectedLength), { signal });
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
  #takeRightsOf({ mode, uid, gid }: Facts): void {
    const own = this.#file.facts();
    if (uid !== null && gid !== null && (uid !== own.uid || gid !== own.gid)) {
      tryTo(() => this.#file.setOwner(uid, gid));
    }
    if (mode !== null) tryTo(() => this.#file.setMode(mode & 0o777));
  }

  /**
   * Gives the file its final name in its folder, in one step.
   *
   * @param former facts about the file that it replaces, whose rights it takes; null for a name that
   * must be free
   * @throws {DiskError} `EEXIST` when the name is not free
   * @throws {DomainError} `forbidden` when the hidden name belongs to another file by now
   */
  commitName(name: string, former: Facts | null, action: string): void {
    const now = this.#folder.look(this.#name);
    if (!now || !isSameEntry(now, this.#file.facts())) {
      throw new DomainError("forbidden", `${action}: the upload was tampered with`);
    }
    if (former?.isFile) this.#takeRightsOf(former);
    if (former) this.#folder.rename(this.#name, this.#folder, name);
    else renameToFree(this.#folder, this.#name, this.#folder, name);
    this.#isNamed = true;
  }

  /** Closes the file, and removes it unless it has taken its final name. */
  [Symbol.dispose](): void {
    this.#hold[Symbol.dispose]();
    tryTo(() => {
      const now = this.#isNamed ? null : this.#folder.look(this.#name);
      if (now && isSameEntry(now, this.#file.facts())) this.#folder.removeFile(this.#name);
    });
    this.#file[Symbol.dispose]();
  }

  /**
   * The fastest way for a body. Deno's own stream into a file keeps the last bytes back until it
   * closes the file, and does not say when they did not fit: it is for bodies whose length is known.
   */
  async #sink(expectedLength?: number): Promise<WritableStream<Uint8Array<ArrayBuffer>>> {
    const real = `${this.#folder.real}/${this.#name}`;
    const isNamedLong = hasRawBytes(real) || real.length * 3 > longestPath;
    if (isNamedLong || (expectedLength !== undefined && expectedLength <= smallBody)) {
      return sinkInto((bytes, position) => this.#file.write(bytes, position));
    }
    const file = await Deno.open(real, { write: true });
    const { ino, dev } = file.statSync();
    if (!isSameEntry({ ino, dev }, this.#file.facts())) {
      file.close();
      throw new DomainError("forbidden", "Cannot write: the upload was tampered with");
    }
    return expectedLength !== undefined ? file.writable : sinkIntoFile(file);
  }

  #checkLength(expected: number, action: string): void {
    const { size } = this.#file.facts();
    if (size === expected) return;
    try {
      // Was it the disk that did not take the rest?
      const missing = Math.max(0, Math.min(expected - size, longestTail));
      this.#file.write(new Uint8Array(missing), size);
    } catch (error) {
      throw asRefusal(error, action);
    }
    throw new DomainError("invalid_body", `${action}: ${size} of ${expected} bytes came`);
  }
}

/** Writes every chunk where the one before ended. */
function sinkInto(
  write: (bytes: Uint8Array<ArrayBuffer>, position: number) => void,
): WritableStream<Uint8Array<ArrayBuffer>> {
  let position = 0;
  return new WritableStream({
    write(chunk) {
      write(chunk, position);
      position += chunk.length;
    },
  });
}

/** Writes every chunk at once and says when it does not fit. */
function sinkIntoFile(file: Deno.FsFile): WritableStream<Uint8Array<ArrayBuffer>> {
  return new WritableStream({
    async write(chunk) {
      try {
        for (let start = 0; start < chunk.length;) start += await file.write(chunk.subarray(start));
      } catch (error) {
        // A stream whose sink fails is neither closed nor aborted.
        file.close();
        throw error;
      }
    },
    close: () => file.close(),
    abort: () => file.close(),
  });
}
