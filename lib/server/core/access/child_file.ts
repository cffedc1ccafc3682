import type { OpenFile } from "../disk/disk.ts";
import { disk } from "../disk/this_disk.ts";
import { type Facts, isSameEntry } from "../disk/facts.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { FolderHandle } from "./folder_handle.ts";
import { asRefusal } from "./os_errors.ts";
import { childrenOf, type EntryPath } from "../../../shared/path.ts";

/** The facts that identify one state of a file, and those that an archive keeps. */
export interface FileFacts {
  /** Bytes. */
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
  /** Last change of content, name or rights, likewise. No call can set it. */
  changed: number;
  /** Permission bits, with those of the type. */
  mode: number;
  ino: number | null;
  dev: number;
}

/** A regular file in a folder that is being walked. */
export class ChildFile {
  constructor(
    readonly folder: FolderHandle,
    readonly name: string,
    readonly facts: FileFacts,
  ) {}

  get path(): EntryPath {
    return childrenOf(this.folder.path)(this.name);
  }

  /**
   * Opens the file, which the caller closes. No link is followed, and a pipe does not block.
   *
   * @throws {DomainError} `not_found` when the file is gone or another, `forbidden`
   */
  open(): OpenFile {
    try {
      using folder = disk.folder(this.folder.real);
      const file = folder.file(this.name, "read");
      const open = file.facts();
      if (open.isFile && isSameEntry(open, this.facts)) return file;
      file[Symbol.dispose]();
    } catch (error) {
      throw asRefusal(error, `Cannot open "${this.path}"`);
    }
    throw changedError(this.path);
  }
}

/** The facts that a {@link ChildFile} keeps. */
export function factsOf({ size, mtime, ctime, mode, ino, dev }: Facts): FileFacts {
  const modified = mtime?.getTime() ?? 0;
  return { size, modified, changed: ctime?.getTime() ?? modified, mode: mode ?? 0, ino, dev };
}

/** Whether two stat calls saw the same file with the same content, as far as its facts tell. */
export function isUnchanged(now: FileFacts, before: FileFacts): boolean {
  return isSameEntry(now, before) && now.size === before.size && now.modified === before.modified;
}

/** The error for a file that has changed. */
export function changedError(path: EntryPath): DomainError {
  return new DomainError("not_found", `Cannot read "${path}": it changed during the read`);
}
