import type { OpenFile, OpenFolder } from "../../disk/disk.ts";
import type { Facts } from "../../disk/facts.ts";

/** Permission bits that files keep: never set-uid or set-gid, for the owner may be another now. */
export const fileBits = 0o777;

/** Those of folders, with sticky and set-group-id. */
const folderBits = 0o3777;

/** The bit that folders pass on to those that are made in them: set-group-id. */
const inherited = 0o2000;

/**
 * Gives the copy of a file the traits of its original: the owner as far as the system allows,
 * permissions, and times.
 */
export function giveFileTraits(copy: OpenFile, original: Facts): void {
  const { uid, gid, mode } = copy.facts();
  const isOwned = uid === original.uid && gid === original.gid;
  if (!isOwned) giveOwner(copy, original);
  const bits = (original.mode ?? fileBits) & fileBits;
  if (!isOwned || ((mode ?? bits) & fileBits) !== bits) tryTo(() => copy.setMode(bits));
  tryTo(() => copy.setTimes(original));
}

/** The same for a folder. */
export function giveFolderTraits(copy: OpenFolder, original: Facts): void {
  const { uid, gid, mode } = copy.facts();
  if (uid !== original.uid || gid !== original.gid) giveOwner(copy, original);
  const own = mode ?? 0;
  tryTo(() => copy.setMode(((original.mode ?? own) & folderBits) | (own & inherited)));
  tryTo(() => copy.setTimes(original));
}

function giveOwner(copy: OpenFile | OpenFolder, { uid, gid }: Facts): void {
  if (uid !== null && gid !== null) tryTo(() => copy.setOwner(uid, gid));
}

/** For traits that some systems and file systems do not have: the copy goes without them. */
function tryTo(action: () => void): void {
  try {
    action();
  } catch {
    // Best effort.
  }
}
