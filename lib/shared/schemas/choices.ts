/** The enumerations of fields, for the browser as well: this file imports no library. */

/** The rights that a user can be given. `admin` implies all the others. */
export const permissionNames = [
  "admin",
  "create",
  "delete",
  "download",
  "execute",
  "modify",
  "rename",
  "share",
] as const;

/** One of {@linkcode permissionNames}. */
export type PermissionName = typeof permissionNames[number];

/** Every permission, each given or not. */
export function permissionsWhere(
  isGiven: (name: PermissionName) => boolean,
): Record<PermissionName, boolean> {
  const entries = permissionNames.map((name) => [name, isGiven(name)]);
  return Object.fromEntries(entries) as Record<PermissionName, boolean>;
}

/** The properties that a listing can be sorted by. */
export const sortKeys = ["name", "size", "modified"] as const;

/** The view modes of a listing, in the order of the button. */
export const viewModes = ["list", "mosaic", "mosaic gallery"] as const;

/** The sizes of thumbnails, in pixels: the side of a square. */
export const thumbSides = [256, 360, 640] as const;

/** The types of an entry, each of which is opened in its own way. */
export const entryTypes = [
  "listing",
  "image",
  "audio",
  "video",
  "pdf",
  "text",
  "textImmutable",
  "blob",
  "invalid_link",
] as const;

/** The checksum algorithms. */
export const checksumNames = ["md5", "sha1", "sha256", "sha512"] as const;

/** The events that command lines can be hooked to. */
export const hookEvents = [
  "before_save",
  "after_save",
  "before_copy",
  "after_copy",
  "before_rename",
  "after_rename",
  "before_upload",
  "after_upload",
  "before_delete",
  "after_delete",
] as const;

/** The units of a share's lifetime. */
export const shareUnits = ["seconds", "minutes", "hours", "days"] as const;
