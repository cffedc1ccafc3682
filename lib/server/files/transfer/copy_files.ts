import { type CopiedState, type ScannedFile, type ScannedLink } from "./scan.ts";
import type { Reserved } from "../../access/reserved.ts";
import type { OpenFile, OpenFolder } from "../../disk/disk.ts";
import { DiskError } from "../../disk/disk_error.ts";
import { type Facts, isSameEntry } from "../../disk/facts.ts";
import { DomainError } from "../../../shared/errors.ts";
import { copyContent } from "./copy_content.ts";
import { copyFileMetadata, fileBits } from "./copy_metadata.ts";
import type { Pauses } from "../../concurrency/pauses.ts";

/** Options of copying files. */
export interface CopyOrder {
  action: string;
  /** The originals will be deleted: a file that changes during the copy is copied again. */
  isMove: boolean;
  /** Sync each file on its own; otherwise the caller syncs them all at once. */
  isSynced: boolean;
  /** Files never to read, under any name. */
  reserved: Reserved;
}

/** Maximum attempts for a file that changes during the copy. */
const mostReadings = 3;

/**
 * Copies files and links of one folder into another that has none of their names. Missing files are
 * skipped.
 *
 * @throws {DomainError} `forbidden`, `not_a_file`, `precondition_failed`
 * @throws {DiskError} such as `ENOSPC`
 */
export async function copyFiles(
  from: OpenFolder,
  to: OpenFolder,
  { files, links }: { files: readonly ScannedFile[]; links: readonly ScannedLink[] },
  order: CopyOrder,
  pauses: Pauses,
): Promise<void> {
  for (const file of files) {
    await copyFile(from, to, file, order, pauses);
    if (pauses.isDue) await pauses.pause();
  }
  for (const { name, text, isThere } of links) {
    if (!isThere) to.makeLink(name, text);
    if (pauses.isDue) await pauses.pause();
  }
}

/** Whether facts are of the same file as copied, unchanged. */
export function isAsCopied(facts: Facts, copied: CopiedState): boolean {
  return facts.isFile && isSameEntry(facts, copied) && facts.size === copied.size &&
    modifiedAt(facts) === copied.modified;
}

async function copyFile(
  from: OpenFolder,
  to: OpenFolder,
  file: ScannedFile,
  { action, isMove, isSynced, reserved }: CopyOrder,
  pauses: Pauses,
): Promise<void> {
  const { name } = file;
  using source = openIfThere(from, name);
  if (!source) return;
  let before = source.facts();
  if (!before.isFile) {
    throw new DomainError("not_a_file", `${action}: "${name}" is not a regular file`);
  }
  if (reserved.is(before)) {
    throw new DomainError("forbidden", `${action}: something below it is out of reach`);
  }
  using target = to.file(name, "create", (before.mode ?? fileBits) & fileBits);
  for (let reading = 1;; reading++) {
    await copyContent(source, target, before, pauses);
    const after = isMove ? source.facts() : before;
    if (isUnchanged(before, after)) break;
    if (reading === mostReadings) {
      throw new DomainError("precondition_failed", `${action}: "${name}" keeps changing`);
    }
    target.setSize(0);
    before = after;
  }
  copyFileMetadata(target, before);
  if (isSynced) await target.sync();
  const { ino, dev, size } = before;
  file.copied = { ino, dev, size, modified: modifiedAt(before) };
}

function openIfThere(folder: OpenFolder, name: string): OpenFile | null {
  try {
    return folder.file(name, "read");
  } catch (error) {
    if (error instanceof DiskError && error.code === "ENOENT") return null;
    throw error;
  }
}

function isUnchanged(before: Facts, after: Facts): boolean {
  return before.size === after.size && modifiedAt(before) === modifiedAt(after) &&
    before.ctime?.getTime() === after.ctime?.getTime();
}

function modifiedAt({ mtime }: Facts): number {
  return mtime?.getTime() ?? 0;
}
