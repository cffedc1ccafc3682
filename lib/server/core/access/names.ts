import { type EntryPath, segmentsOf } from "../../../shared/path.ts";
import type { RealPath } from "../disk/real_path.ts";

/** Prefix of the names of our own temporary files. */
const prefix = ".cubby-upload-";

/** Any case: on a file system that folds it, another spelling would reach the same file. */
const temporaryName = /^\.cubby-upload-[0-9a-f]{32}$/i;

/** A new, unguessable name for a temporary file. */
export function makeTemporaryName(): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  return prefix + random.toHex();
}

/** Whether a name is one of ours: an upload under way, or the leftover of a killed process. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith(".") && temporaryName.test(name);
}

/** The folder at the top of each disk in which deleted entries are kept. */
export const trashName = ".cubby-trash";

/** Whether a place is in the trash of a disk, where no path of a viewer leads. */
export function isInTrash(place: EntryPath): boolean {
  return segmentsOf(place).includes(trashName);
}

/** Whether a name is the server's own, which no viewer sees: a temporary file or the trash. */
export function isOwnName(name: string): boolean {
  return isTemporaryName(name) || name.toLowerCase() === trashName;
}

/** Whether a name counts as hidden to those who hide dotfiles. */
export function isDotName(name: string): boolean {
  return name.startsWith(".");
}

/**
 * Whether this system can take a name as one component. Elsewhere than on Windows each segment can
 * be; there a backslash would be a separator, a colon names a stream, and a final dot or space is
 * dropped.
 */
export function isSafeOnDisk(name: string, os: string = Deno.build.os): boolean {
  return os !== "windows" || !/[\\:*?"<>|\p{Cc}]|[. ]$/u.test(name);
}

/**
 * The real path of the virtual top, the folder in which a viewer finds the named roots. Nothing can
 * be there, so whatever would take it for a folder of the disk finds none.
 */
export const virtualTop = "/dev/null/roots" as RealPath;
