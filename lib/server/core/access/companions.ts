import type { OpenFolder } from "../disk/disk.ts";
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

/**
 * Whether a file is one that macOS has put beside an entry, or in a folder, for itself. Its name is
 * not enough: the entry has to be there, and the file has to be empty or begin as such a file does.
 *
 * @param folder the open folder that holds it
 */
export function isCompanion(
  folder: OpenFolder,
  { name, kind }: Pick<DirectoryEntry, "name" | "kind">,
): boolean {
  if (kind !== "file" || !name.startsWith(".")) return false;
  if (name === folderNotes) return isOfMacOs(folder, name, notesStart);
  const isNamed = name.startsWith(prefix) && name.length > prefix.length;
  return isNamed && folder.look(name.slice(prefix.length)) !== null &&
    isOfMacOs(folder, name, appleDouble);
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
  let isSo = false;
  // One that is gone, or cannot be read, is shown or refused as every other file.
  tryTo(() => {
    using file = folder.file(name, "read");
    const { isFile, size } = file.facts();
    const bytes = new Uint8Array(start.length);
    isSo = isFile &&
      (size === 0 || file.read(bytes, 0) === bytes.length && start.every((b, i) => b === bytes[i]));
  });
  return isSo;
}
