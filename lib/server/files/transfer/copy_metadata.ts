import { type Attributes, giveRights, withoutMask } from "../../core/disk/attributes.ts";
import type { OpenFile, OpenFolder } from "../../core/disk/disk.ts";
import { tryTo } from "../../core/disk/disk_error.ts";
import type { Facts } from "../../core/disk/facts.ts";

/** Copied permission bits of files: never set-uid or set-gid, because the owner may differ. */
export const fileBits = 0o777;

/** The permission bits of folders, with sticky and set-gid. */
const folderBits = 0o3777;

/** Set-gid, which folders pass on to new subfolders. */
const inherited = 0o2000;

/**
 * Copies a file's metadata to its copy: owner as far as the system allows, permissions, access
 * control lists, attributes, and times.
 */
export function copyFileMetadata(
  copy: OpenFile,
  original: Facts,
  attributes: Attributes,
): void {
  const { uid, gid } = copy.facts();
  if (uid !== original.uid || gid !== original.gid) giveOwner(copy, original);
  giveRights(copy, attributes, (original.mode ?? fileBits) & fileBits);
  tryTo(() => copy.setTimes(original));
}

/**
 * The same for a folder.
 *
 * @param more permission bits for a while: the lists, which would take them away, follow later
 */
export function copyFolderMetadata(
  copy: OpenFolder,
  original: Facts,
  attributes: Attributes,
  more = 0,
): void {
  const { uid, gid, mode } = copy.facts();
  if (uid !== original.uid || gid !== original.gid) giveOwner(copy, original);
  const own = mode ?? 0;
  const bits = ((original.mode ?? own) & folderBits) | (own & inherited);
  if (more === 0) giveRights(copy, attributes, bits);
  else tryTo(() => copy.setMode(withoutMask(bits, attributes) | more));
  tryTo(() => copy.setTimes(original));
}

function giveOwner(copy: OpenFile | OpenFolder, { uid, gid }: Facts): void {
  if (uid !== null && gid !== null) tryTo(() => copy.setOwner(uid, gid));
}
