import { DomainError } from "../../../shared/errors.ts";
import { foldName } from "../../../shared/fold.ts";
import { placeOfRoot } from "../../../shared/named_roots.ts";
import { childOf, type EntryPath } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import type { EntryHandle } from "../../core/access/file_handle.ts";
import { virtualTop } from "../../core/access/names.ts";
import { isBelow, type RealPath, realPathBelow } from "../../core/disk/real_path.ts";

/** Any name: to ask the gate for a new entry in a folder. */
const anyName = "0";

/** The rights to an entry, as far as they do not follow from the permissions of its viewer. */
interface EntryRights {
  isFolder: boolean;
  /** It may get another name or place, or be deleted. */
  canLeave: { remove: boolean; rename: boolean };
  /** Its content may change: that of a folder by new entries. */
  canChange: boolean;
}

/**
 * The letters of `oc:permissions`, by which clients know what they may do with an entry: R to share
 * it, G to read it, D to delete it, NV to give it another name or place, W to change a file, CK to
 * make files and folders in a folder. Never M, although a named root is a mount of a kind: desktop
 * clients would not sync it until they are told to. Never S: nothing that others share is among the
 * files of a user.
 */
function lettersOf(access: Access, rights: EntryRights): string {
  const { isFolder, canLeave, canChange } = rights;
  const reads = access.may("download");
  return (reads && access.may("share") ? "R" : "") + (reads ? "G" : "") +
    (canLeave.remove ? "D" : "") + (canLeave.rename ? "NV" : "") +
    (canChange ? isFolder ? "CK" : "W" : "");
}

/** The permissions of a share as sync clients add them. */
export const shareBits = { read: 1, update: 2, create: 4, delete: 8, share: 16 };

/**
 * The permissions that a share of an entry can give at most, in the property by which phone apps
 * offer them: to edit takes all that it includes.
 *
 * @param letters of the entry
 */
export function shareBitsOf(letters: string, isFolder: boolean): number {
  const has = (needed: string) => [...needed].every((letter) => letters.includes(letter));
  const { read, update, create, delete: remove, share } = shareBits;
  const edits = has(isFolder ? "CDN" : "WDN");
  return (has("G") ? read : 0) + (has("R") ? share : 0) +
    (edits ? update : 0) + (isFolder && has("C") ? create : 0) + (isFolder && edits ? remove : 0);
}

/** The letters of one entry, as the gate decides about each operation. */
export function permissionsOf(access: Access, path: EntryPath, isFolder: boolean): string {
  return lettersOf(access, {
    isFolder,
    canLeave: {
      remove: allows(() => access.remove(path)),
      rename: allows(() => access.rename(path)),
    },
    canChange: allows(() => isFolder ? access.create(childOf(path, anyName)) : access.modify(path)),
  });
}

/**
 * The letters of the entries in a folder. They follow from the viewer's permissions for all of them
 * at once, unless something read-only is near, or an entry is a link.
 */
export function permissionsIn(
  access: Access,
  folder: EntryHandle,
): (path: EntryPath, isFolder: boolean, isLink: boolean) => string {
  const isMixed = folder.real === virtualTop || isNearKept(access, folder.real);
  const writes = !isMixed && !access.isReadOnly(folder.path);
  const may = (permission: Parameters<Access["may"]>[0]) => writes && access.may(permission);
  const [file, below] = [false, true].map((isFolder) =>
    lettersOf(access, {
      isFolder,
      canLeave: { remove: may("delete"), rename: may("rename") },
      canChange: may(isFolder ? "create" : "modify"),
    })
  );
  // A rule may close what is in a folder, and not the folder.
  const hasRules = access.viewer.rules.length > 0;
  return (path, isFolder, isLink) => {
    const isAsked = isMixed || isLink ||
      hasRules && isFolder && !allows(() => access.check(childOf(path, anyName), ""));
    if (isAsked) return permissionsOf(access, path, isFolder);
    return (isFolder ? below : file) ?? "";
  };
}

/** Whether some entries in a folder, or below it, are read-only, and others may not be. */
function isNearKept({ spec, viewer }: Access, folder: RealPath): boolean {
  const at = foldName(folder);
  const roots = (viewer.roots ?? []).filter(({ readOnly }) => readOnly)
    .map((root) => realPathBelow(placeOfRoot(root), spec.root));
  const isIn = (kept: string) => isBelow(foldName(kept), at);
  return roots.some((root) => isIn(root) && foldName(root) !== at) ||
    (spec.readOnly ?? []).some((kept) => isIn(kept) || isBelow(at, foldName(kept)));
}

function allows(operation: () => unknown): boolean {
  try {
    operation();
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
