import { tryTo } from "./disk_error.ts";

/** Extended attributes by their names: access control lists, and those of users (`user.*`). */
export type Attributes = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** An open entry with attributes. */
export interface Attributed {
  /** Its attributes; none where the system or the file system has no such. */
  attributes(): Attributes;
  /** Sets an attribute, or removes it. @throws DiskError */
  setAttribute(name: string, value: Uint8Array<ArrayBuffer> | null): void;
  setMode(mode: number): void;
}

/** The access control list of an entry, and the one that a folder gives to new entries. */
const accessList = "system.posix_acl_access";
const lists = [accessList, "system.posix_acl_default"] as const;

/** Attributes of users. */
const ofUsers = "user.";

/** Whether an attribute is kept when an entry is replaced or copied. */
export function isKeptAttribute(name: string): boolean {
  return name.startsWith(ofUsers) || lists.some((list) => list === name);
}

/**
 * Gives an entry the permissions and attributes of another. Where a list cannot be set, the group
 * gets what the list gives it, and not what the bits of the group are beside a list: its mask.
 *
 * @param bits the permission bits of the other
 */
export function giveRights(copy: Attributed, attributes: Attributes, bits: number): void {
  const own = copy.attributes();
  // Those that the folder gives to new entries would be added to the rights.
  for (const list of lists) if (own.has(list)) tryTo(() => copy.setAttribute(list, null));
  tryTo(() => copy.setMode(withoutMask(bits, attributes)));
  for (const [name, value] of attributes) tryTo(() => copy.setAttribute(name, value));
}

/** Permission bits of an entry without its list: the group's are those of the list, masked. */
export function withoutMask(bits: number, attributes: Attributes): number {
  const list = attributes.get(accessList);
  const group = list && entryOf(list, groupTag);
  if (!list || group === undefined) return bits;
  return (bits & ~0o070) | ((group & (entryOf(list, maskTag) ?? 7)) << 3);
}

/** Tags of entries in a list (linux/posix_acl_xattr.h). */
const groupTag = 0x04;
const maskTag = 0x10;

/** The permissions of the entry with a tag: a version, then tag, permissions and id of each. */
function entryOf(list: Uint8Array<ArrayBuffer>, tag: number): number | undefined {
  const view = new DataView(list.buffer, list.byteOffset, list.byteLength);
  for (let at = 4; at + 8 <= list.length; at += 8) {
    if (view.getUint16(at, true) === tag) return view.getUint16(at + 2, true) & 7;
  }
  return undefined;
}
