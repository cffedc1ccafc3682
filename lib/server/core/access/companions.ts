import type { OpenFile, OpenFolder } from "../disk/disk.ts";
import { tryTo } from "../disk/disk.ts";
import type { DirectoryEntry } from "../disk/facts.ts";

/** Before the name of an entry: the file in which macOS keeps what its disk has no place for. */
const prefix = "._";

/** The file in which Finder keeps how it shows a folder. */
const folderNotes = ".DS_Store";

/** The first bytes of an AppleDouble file (RFC 1740, appendix B). */
const appleDouble = new Uint8Array([0, 5, 22, 7]);

/** The first bytes of Finder's notes about a folder: a number, and "Bud1". */
const notesStart = new Uint8Array([0, 0, 0, 1, 0x42, 0x75, 0x64, 0x31]);

/** The name that the companion of an entry has: `._a.txt` of `a.txt`. */
export function companionName(name: string): string {
  return prefix + name;
}

/** The name of the entry that a file would be the companion of; null for none by its name. */
export function nameOfCompanions(name: string): string | null {
  return name.startsWith(prefix) && name.length > prefix.length ? name.slice(prefix.length) : null;
}

/**
 * Whether a file is one that macOS has put beside an entry, or in a folder, for itself. Its name is
 * not enough: the file has to be empty or begin as such a file does, and the entry has to be there.
 * One whose entry is gone is an AppleDouble file as a whole, and holds no resource fork: that may be
 * the only copy of what somebody has made.
 *
 * @param folder the open folder that holds it
 */
export function isCompanion(
  folder: OpenFolder,
  { name, kind }: Pick<DirectoryEntry, "name" | "kind">,
): boolean {
  if (kind !== "file" || !name.startsWith(".")) return false;
  if (name === folderNotes) return isOfMacOs(folder, name, notesStart);
  const owner = nameOfCompanions(name);
  if (owner === null) return false;
  return folder.look(owner) === null
    ? isOrphan(folder, name)
    : isOfMacOs(folder, name, appleDouble);
}

/**
 * Gives the companion of an entry the place beside another name of that entry. A file there that is
 * none of macOS stays, and so does the companion, which is an entry like others then.
 *
 * @returns whether it has gone there
 */
export function placeCompanion(
  from: { folder: OpenFolder; name: string },
  to: { folder: OpenFolder; name: string },
): boolean {
  let isPlaced = false;
  tryTo(() => {
    const isTaken = to.folder.look(to.name) && !isOfMacOs(to.folder, to.name, appleDouble);
    if (!isTaken) from.folder.rename(from.name, to.folder, to.name);
    isPlaced = !isTaken;
  });
  return isPlaced;
}

function isOfMacOs(folder: OpenFolder, name: string, start: Uint8Array): boolean {
  return isFileThat(folder, name, (file, size) => {
    const bytes = new Uint8Array(start.length);
    return size === 0 || file.read(bytes, 0) === bytes.length && beginsWith(bytes, start);
  });
}

/** Bytes of an AppleDouble file before the list of its parts, and of each of these in the list. */
const headBytes = 26;
const partBytes = 12;

/** Most parts of an AppleDouble file: there are fifteen kinds. */
const maxParts = 15;

/** The kind of a part that is a resource fork. */
const resourceFork = 2;

/** What macOS writes into the resource fork of a file that has none, and how long it is at most. */
const blankFork = new TextEncoder().encode("This resource fork intentionally left blank");
const maxBlankBytes = 512;

/** Most bytes of a companion without its entry that is not shown; most have 4 KiB. */
const maxOrphanBytes = 1024 * 1024;

/** Whether a file is AppleDouble as a whole, with nothing but facts about a file that is gone. */
function isOrphan(folder: OpenFolder, name: string): boolean {
  return isFileThat(folder, name, (file, size) => {
    if (size > maxOrphanBytes) return false;
    const head = new Uint8Array(headBytes + maxParts * partBytes);
    const length = file.read(head, 0);
    const view = new DataView(head.buffer);
    const count = view.getUint16(headBytes - 2);
    const isWhole = length >= headBytes && beginsWith(head, appleDouble) && count > 0 &&
      count <= maxParts && length >= headBytes + count * partBytes;
    if (!isWhole) return false;
    return Array.from({ length: count }, (_, index) => headBytes + index * partBytes)
      .every((at) => {
        const [kind, offset, bytes] = [0, 4, 8].map((field) => view.getUint32(at + field));
        if (offset === undefined || bytes === undefined || offset + bytes > size) return false;
        return kind !== resourceFork || bytes === 0 || isBlank(file, offset, bytes);
      });
  });
}

function isBlank(file: OpenFile, offset: number, length: number): boolean {
  if (length > maxBlankBytes) return false;
  const fork = new Uint8Array(length);
  if (file.read(fork, offset) !== length) return false;
  const last = length - blankFork.length;
  for (let at = 0; at <= last; at++) if (beginsWith(fork.subarray(at), blankFork)) return true;
  return false;
}

function beginsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, index) => byte === bytes[index]);
}

/** One that is gone, or cannot be read, is shown or refused as every other file. */
function isFileThat(
  folder: OpenFolder,
  name: string,
  holds: (file: OpenFile, size: number) => boolean,
): boolean {
  let isSo = false;
  tryTo(() => {
    using file = folder.file(name, "read");
    const { isFile, size } = file.facts();
    isSo = isFile && holds(file, size);
  });
  return isSo;
}
