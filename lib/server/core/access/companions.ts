import type { OpenFile, OpenFolder } from "../disk/disk.ts";
import { tryTo } from "../disk/disk.ts";
import type { DirectoryEntry, Facts } from "../disk/facts.ts";
import { appleDouble, beginsWith, isWorthless, lacksFork, maxListBytes } from "./apple_double.ts";

/** Before the name of an entry: the file in which macOS keeps what its disk has no place for. */
const prefix = "._";

/** The file in which Finder keeps how it shows a folder. */
const folderNotes = ".DS_Store";

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

/** Whether a file is one of macOS, as of {@linkcode companionKind}. */
export function isCompanion(
  folder: OpenFolder,
  entry: Pick<DirectoryEntry, "name" | "kind">,
): boolean {
  return companionKind(folder, entry) !== null;
}

/**
 * Whether a file is one that macOS has put beside an entry, or in a folder, for itself. Its name is
 * not enough: the file has to be empty or begin as such a file does, and the entry has to be there.
 * One whose entry is gone is an AppleDouble file as a whole, and holds no resource fork: that may be
 * the only copy of what somebody has made.
 *
 * @param folder the open folder that holds it
 * @returns null for a file like others
 */
export function companionKind(
  folder: OpenFolder,
  { name, kind }: Pick<DirectoryEntry, "name" | "kind">,
): "with entry" | "orphan" | null {
  if (kind !== "file" || !name.startsWith(".")) return null;
  if (name === folderNotes) return isOfMacOs(folder, name, notesStart) ? "with entry" : null;
  const owner = nameOfCompanions(name);
  if (owner === null) return null;
  if (folder.look(owner) === null) return isOrphan(folder, name) ? "orphan" : null;
  return isOfMacOs(folder, name, appleDouble) ? "with entry" : null;
}

/** Most bytes of a companion that may be worthless; those that are have 4 KiB at most. */
const maxSpentBytes = 64 * 1024;

/**
 * Whether a file is a companion whose entry is gone, which holds nothing of worth without it, and was
 * not changed for a while: a program may write it before its entry. One with a second name (hard
 * link) is somebody's own.
 *
 * @param folder the open folder that holds it
 * @param before when it was changed at the latest, in milliseconds since 1970
 */
export function isSpentCompanion(folder: OpenFolder, name: string, before = Infinity): boolean {
  const owner = nameOfCompanions(name);
  if (owner === null) return false;
  let isSpent = false;
  tryTo(() => {
    // Programs may spell an accent of both in different forms.
    const owners = new Set([owner, owner.normalize("NFC"), owner.normalize("NFD")]);
    if ([...owners].some((each) => folder.look(each) !== null)) return;
    isSpent = isFileThat(folder, name, (file, info) => {
      const { size, nlink } = info;
      if (nlink !== 1 || size > maxSpentBytes || changedAt(info) >= before) return false;
      const bytes = new Uint8Array(size);
      return file.read(bytes, 0) === size && isWorthless(bytes);
    });
  });
  return isSpent;
}

/**
 * When an entry was changed last, or one came into it or left it, in milliseconds since 1970. No
 * program can set that time.
 */
export function changedAt({ ctime }: Pick<Facts, "ctime">): number {
  return ctime?.getTime() ?? Infinity;
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
  return isFileThat(folder, name, (file, { size }) => {
    const bytes = new Uint8Array(start.length);
    return size === 0 || file.read(bytes, 0) === bytes.length && beginsWith(bytes, start);
  });
}

/** Most bytes of a companion without its entry that is not shown; most have 4 KiB. */
const maxOrphanBytes = 1024 * 1024;

/** Whether a file is AppleDouble as a whole, with nothing but facts about a file that is gone. */
function isOrphan(folder: OpenFolder, name: string): boolean {
  return isFileThat(folder, name, (file, { size }) => {
    if (size > maxOrphanBytes) return false;
    const start = new Uint8Array(maxListBytes);
    return lacksFork(start.subarray(0, file.read(start, 0)), size, (offset, length) => {
      const bytes = new Uint8Array(length);
      return file.read(bytes, offset) === length ? bytes : null;
    });
  });
}

/** One that is gone, or cannot be read, is shown or refused as every other file. */
function isFileThat(
  folder: OpenFolder,
  name: string,
  holds: (file: OpenFile, info: Facts) => boolean,
): boolean {
  let isSo = false;
  tryTo(() => {
    using file = folder.file(name, "read");
    const info = file.facts();
    isSo = info.isFile && holds(file, info);
  });
  return isSo;
}
