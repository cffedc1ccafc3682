import type { EntryPath } from "../../../shared/path.ts";
import { foldName } from "../../../shared/fold.ts";
import { DiskError, type OpenFolder } from "../disk/disk.ts";
import type { DirectoryEntry } from "../disk/facts.ts";
import { mounts } from "../disk/mounts.ts";
import { asRealPath, pathBelow, realChild, type RealPath } from "../disk/real_path.ts";
import { disk } from "../disk/this_disk.ts";
import { isOwnName, isTemporaryName, trashName } from "./names.ts";
import { Reserved } from "./reserved.ts";
import { mayHang } from "./place_state.ts";
import type { GateSpec } from "./viewer.ts";

/** The findings of a walk: entries of the server's own in a folder, or a folder it leaves out. */
export type OwnEntries =
  | {
    /** Below the server root. */
    folder: EntryPath;
    /** The names of temporary files and folders in it. */
    temporaries: string[];
    /** A trash is in it: at the top of a disk, or where none belongs. */
    trash: "at_top" | "elsewhere" | null;
  }
  | { leftOut: EntryPath; reason: string };

/**
 * Walks the whole root and finds the entries with names of the server's own. One folder is open at
 * a time; no link is followed. Reserved folders and disks that may hang are left out.
 */
export function* walkOwn(spec: GateSpec): Generator<OwnEntries> {
  const root = asRealPath(spec.root);
  const reserved = new Reserved(spec);
  const left: RealPath[] = [root];
  for (let real = left.pop(); real !== undefined; real = left.pop()) {
    if (mayHang(real, root)) {
      yield { leftOut: pathBelow(real, root), reason: "its disk may be unresponsive" };
      continue;
    }
    try {
      using folder = disk.folder(real);
      const entries = folder.entries();
      const temporaries = entries.filter(({ name }) => isTemporaryName(name))
        .map(({ name }) => name);
      const hasTrash = entries.some(({ name, kind }) => name === trashName && kind === "folder");
      const isTop = real === root || mounts.isPoint(real);
      const trash = hasTrash ? isTop ? "at_top" : "elsewhere" : null;
      left.push(...foldersOf(reserved, real, folder, entries));
      if (temporaries.length > 0 || trash) {
        yield { folder: pathBelow(real, root), temporaries, trash };
      }
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      // Gone, or replaced by a link: then it is found where it is now.
      if (/^(ENOENT|ENOTDIR|ELOOP)$/.test(error.code)) continue;
      yield { leftOut: pathBelow(real, root), reason: `it cannot be read (${error.code})` };
    }
  }
}

function foldersOf(
  reserved: Reserved,
  real: RealPath,
  folder: OpenFolder,
  entries: DirectoryEntry[],
): RealPath[] {
  const names = reserved.namesIn(real);
  const { inodes } = reserved;
  return entries
    .filter(({ name, kind }) => kind === "folder" && !isOwnName(name) && !names.has(foldName(name)))
    .filter(({ name, ino }) => {
      const facts = inodes.has(ino) ? folder.look(name) : null;
      return !facts || !reserved.is(facts);
    })
    .map(({ name }) => realChild(real, name));
}
