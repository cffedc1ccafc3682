import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { DomainError } from "../errors.ts";
import type { FolderHandle } from "./folder_handle.ts";
import { lstatIfThere } from "./lstat.ts";
import { asRefusal } from "./os_errors.ts";
import { childrenOf, type EntryPath } from "./path.ts";
import { realChild } from "./real_path.ts";

/** What tells one state of a file from another, and what an archive keeps of it. */
export interface FileFacts {
  /** Bytes. */
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
  /** When content, name or rights last changed, likewise. It can't be set by anybody. */
  changed: number;
  /** Permission bits, with those of the type. */
  mode: number;
  ino: number | null;
  dev: number;
}

const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** How often the files of a folder are looked up again at the most. */
const mostLooks = 6;

/** So many looks at files prove a batch, however they are spread over it. */
const looksEnough = 12;

/**
 * A regular file in a folder that is being walked. Opening it is cheap, and by itself proves no more
 * than that the file is the one described by its facts: {@link proveFiles} proves for many at once
 * where they lie. Nothing that was read may leave before that.
 */
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
   * A descriptor for `node:fs`, which the caller closes. No link is followed and no pipe waited for.
   *
   * @throws {DomainError} `not_found` when the file is gone or another, `forbidden`
   */
  open(): number {
    let descriptor: number;
    try {
      descriptor = openSync(realChild(this.folder.real, this.name), flags);
    } catch (error) {
      throw asRefusal(error, `Cannot open "${this.path}"`);
    }
    try {
      const { ino, dev } = fstatSync(descriptor);
      if (ino === this.facts.ino && dev === this.facts.dev) return descriptor;
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
    closeSync(descriptor);
    throw hasChanged(this.path);
  }
}

/** What the disk says of an entry, reduced to what a {@link ChildFile} keeps. */
export function factsOf(info: Deno.FileInfo): FileFacts {
  const { size, mtime, ctime, mode, ino, dev } = info;
  const modified = mtime?.getTime() ?? 0;
  return { size, modified, changed: ctime?.getTime() ?? modified, mode: mode ?? 0, ino, dev };
}

/**
 * Proves of files that were opened in one folder that the folder's path led to it all the while,
 * and that they are unchanged. Somebody who swaps the folder for a link and back would have to hit
 * the right moment at every look, and spare all other files: so few files are looked at more often
 * than many, and nobody knows which is the first.
 *
 * @throws {DomainError} `forbidden` or `not_found` when the folder was swapped, or a file is gone,
 * replaced, or changed in size or time
 */
export function proveFiles(folder: FolderHandle, files: readonly ChildFile[]): void {
  if (files.length === 0) return;
  const rounds = Math.min(mostLooks, Math.max(2, Math.ceil(looksEnough / files.length)));
  for (let round = 0; round < rounds; round++) {
    const first = Math.floor(Math.random() * files.length);
    for (const file of files.slice(first)) proveFile(file);
    for (const file of files.slice(0, first)) proveFile(file);
    folder.verify();
  }
}

/** Whether two looks saw the same file with the same content, as far as its facts tell. */
export function isUnchanged(now: FileFacts, before: FileFacts): boolean {
  return now.ino === before.ino && now.dev === before.dev && now.size === before.size &&
    now.modified === before.modified;
}

/** The refusal that says so of a file. */
export function hasChanged(path: EntryPath): DomainError {
  return new DomainError("not_found", `Cannot read "${path}": it changed meanwhile`);
}

function proveFile(file: ChildFile): void {
  const info = lstatIfThere(realChild(file.folder.real, file.name));
  if (!info?.isFile || !isUnchanged(factsOf(info), file.facts)) throw hasChanged(file.path);
}
