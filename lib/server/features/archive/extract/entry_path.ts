import { DomainError } from "../../../../shared/errors.ts";
import { encodeName, isCanonical } from "../../../../shared/entry_names.ts";
import { windowsRefusal } from "../../../../shared/windows_names.ts";
import { isOwnName, isSafeOnDisk } from "../../../core/access/names.ts";
import { archiveTooLargeError, unsafeArchiveError } from "./archived_entry.ts";
import { maxDepth } from "./limits.ts";

/** The longest name, in bytes. */
const maxNameBytes = 255;

/** A slash at the beginning, or a drive of Windows: "C:/", "C:\\". "Q: who.txt" is a plain name. */
const absolute = /^(?:[a-z]:)?[\\/]/i;

/** Whether a path is absolute, as programs write it when told to, and climbs no higher. */
export function isAbsolute(path: string): boolean {
  return absolute.test(path) && !climbs(path);
}

function climbs(path: string): boolean {
  return path.split(/[\\/]/).includes("..");
}

/**
 * Reads the path of an entry of an archive. A path that would lead out of the target folder, here
 * or on another system ("zip slip"), is refused rather than made harmless: the whole archive is an
 * attack then.
 *
 * @param windowsNames whether names have to be such as Windows takes
 * @returns its names; none for the top folder itself
 * @throws {DomainError} `unsafe_archive`; `invalid_name` for what the disk does not take;
 * `forbidden` for names of the server's own; `archive_too_large` when it is too deep
 */
export function namesOf(path: string, windowsNames = false): string[] {
  if (climbs(path)) throw unsafeArchiveError(`"${printable(path)}" leads outside the folder`);
  if (absolute.test(path)) {
    throw unsafeArchiveError(`"${printable(path)}" is an absolute path`);
  }
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (names.length > maxDepth) {
    throw archiveTooLargeError(`"${printable(path)}" is deeper than ${maxDepth} folders`);
  }
  for (const name of names) checkName(name, windowsNames);
  return names;
}

function checkName(name: string, windowsNames: boolean): void {
  if (name.includes("\0")) throw unsafeArchiveError(`"${printable(name)}" has a NUL in its name`);
  if (isOwnName(name)) {
    throw new DomainError("forbidden", `Cannot extract "${name}": access is denied`);
  }
  const reason = windowsNames ? windowsRefusal(name) : null;
  if (reason !== null) throw new DomainError("invalid_name", `Cannot extract "${name}": ${reason}`);
  const isTaken = isSafeOnDisk(name) && name.isWellFormed() && isCanonical(name) &&
    encodeName(name).length <= maxNameBytes;
  if (isTaken) return;
  const text = `Cannot extract "${printable(name)}": the disk does not allow this name`;
  throw new DomainError("invalid_name", text);
}

/** A path for messages: well-formed, and not endless. */
export function printable(path: string): string {
  const text = path.toWellFormed().replaceAll("\0", "\\0");
  return text.length > maxNameBytes ? `${text.slice(0, maxNameBytes)}…` : text;
}
