import { createHash } from "node:crypto";
import { type EntryPath, relativePath } from "../../../shared/path.ts";
import { factsOf, type FileFacts } from "../../core/access/folder_handle.ts";
import { type Facts, unknownFacts } from "../../core/disk/facts.ts";
import { shortened } from "../../files/transfer/progress.ts";
import type { OpenSource, Source } from "./container.ts";
import { safePath } from "./entry_names.ts";

/** The pipes, sockets and devices that a walk has left out. */
export interface LeftOutPaths {
  count: number;
  /** The first of them. */
  first: EntryPath[];
}

/** A file of an archive that names what was left out of it, and is on no disk. */
export class LeftOutFile implements Source {
  readonly path: EntryPath;
  readonly facts: FileFacts;
  readonly #bytes: Uint8Array;
  readonly #facts: Facts;

  /**
   * @param folder whose paths are left out of those in the text
   * @param modified milliseconds since 1970
   */
  constructor({ count, first }: LeftOutPaths, folder: EntryPath, modified: number) {
    this.path = folder;
    const below = first.map((path) => safePath(relativePath(path, folder).slice(1)));
    const named = shortened({ count, first: below }).first;
    const more = count - named.length;
    const lines = [
      "Not in this archive, as pipes, sockets and devices have no content to keep:",
      "",
      ...named,
      ...more > 0 ? [`... and ${more} more`] : [],
    ];
    this.#bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""));
    // In place of an inode: another text is another file, also for the ETag of the archive.
    const ino = createHash("sha256").update(this.#bytes).digest().readUIntBE(0, 6);
    const time = new Date(modified);
    const of = {
      size: this.#bytes.length,
      mode: 0o100644,
      nlink: 1,
      ino,
      mtime: time,
      ctime: time,
    };
    this.#facts = { ...unknownFacts("file"), ...of };
    this.facts = factsOf(this.#facts);
  }

  open(): OpenSource {
    return {
      read: (into, position) => {
        const part = this.#bytes.subarray(position, position + into.length);
        into.set(part);
        return part.length;
      },
      facts: () => this.#facts,
      [Symbol.dispose]() {},
    };
  }

  look(): Facts {
    return this.#facts;
  }
}
