import { childrenOf, type EntryPath, nameOf, parentOf } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import { nameOfCompanions } from "../../core/access/companions.ts";

/*
 * The files that macOS keeps beside others follow these, whoever moves or deletes them. A program
 * that sees both in a listing does the same with the second one, and would report an error where it
 * finds nothing any more: it hears that it is done.
 */

/** Whether a companion is not there, nor the entry that it belongs to: they have gone together. */
export function isGoneWithEntry(access: Access, path: EntryPath): boolean {
  const owner = ownerOf(path);
  if (owner === null) return false;
  const { there, lacksParent } = access.seek(path);
  return !there && !lacksParent && !access.seek(owner).there;
}

/** Whether a companion is already where it is to go, beside the entry that it belongs to. */
export function hasFollowedEntry(access: Access, from: EntryPath, to: EntryPath): boolean {
  const owner = ownerOf(to);
  return owner !== null && isGoneWithEntry(access, from) && access.seek(to).there !== null &&
    access.seek(owner).there !== null;
}

function ownerOf(path: EntryPath): EntryPath | null {
  const owner = nameOfCompanions(nameOf(path));
  return owner === null || /^\.\.?$/.test(owner) ? null : childrenOf(parentOf(path))(owner);
}
