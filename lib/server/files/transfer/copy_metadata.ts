import type { OpenFile, OpenFolder } from "../../disk/disk.ts";
import { tryTo } from "../../disk/disk_error.ts";
import type { Facts } from "../../disk/facts.ts";

/** Copied permission bits of files: never set-uid or set-gid, because the owner may differ. */
export const fileBits = 0o777;

/** The permission bits of folders, with sticky and set-gid. */
const folderBits = 0o3777;

/** Set-gid, which folders pass on to new subfolders. */
const inherited = 0o2000;

/**
 * Copies a file's metadata to its copy: owner as far as the system allows, permissions, and times.
 */
export function copyFileMetadata(copy: OpenFile, original: Facts): void {
  const { uid, gid, mode } = copy.facts();
  const isOwned = uid === original.uid && gid === original.gid;
  if (!isOwned) giveOwner(copy, original);
  const bits = (original.mode ?? fileBits) & fileBits;
  if (!isOwned || ((mode ?? bits) & fileBits) !== bits) tryTo(() => copy.setMode(bits));
  tryTo(() => copy.setTimes(original));
}

/** The same for a folder. @param more permission bits besides */
export function copyFolderMetadata(copy: OpenFolder, original: Facts, more = 0): void {
  const { uid, gid, mode } = copy.facts();
  if (uid !== original.uid || gid !== original.gid) giveOwner(copy, original);
  const own = mode ?? 0;
  const bits = ((original.mode ?? own) & folderBits) | (own & inherited);
  tryTo(() => copy.setMode(bits | more));
  tryTo(() => copy.setTimes(original));
}

function giveOwner(copy: OpenFile | OpenFolder, { uid, gid }: Facts): void {
  if (uid !== null && gid !== null) tryTo(() => copy.setOwner(uid, gid));
}
