import { type Attributes, giveRights } from "../../core/disk/attributes.ts";
import type { OpenFile, OpenFolder } from "../../core/disk/disk.ts";
import { DiskError, tryTo } from "../../core/disk/disk_error.ts";
import { type Facts, isSameEntry } from "../../core/disk/facts.ts";

/**
 * Gives a file that is about to replace another the owner of that (as far as the system allows), its
 * permissions, access control lists and attributes: whoever may read or write stays the same.
 *
 * @param folder holds the file that is replaced
 * @param former facts about it
 */
export function takeRights(
  file: OpenFile,
  folder: OpenFolder,
  name: string,
  former: Facts,
): void {
  const { mode, uid, gid } = former;
  const own = file.facts();
  if (uid !== null && gid !== null && (uid !== own.uid || gid !== own.gid)) {
    tryTo(() => file.setOwner(uid, gid));
  }
  if (mode !== null) giveRights(file, attributesOf(folder, name, former), mode & 0o777);
}

/** The attributes of a file, which the server may be able to write and not to read. */
function attributesOf(folder: OpenFolder, name: string, former: Facts): Attributes {
  for (const how of ["read", "write"] as const) {
    try {
      using open = folder.file(name, how);
      if (isSameEntry(open.facts(), former)) return open.attributes();
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
    }
  }
  return new Map();
}
