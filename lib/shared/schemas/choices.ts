/** The lists of words that fields choose from, for the browser as well: no library is read here. */

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

/** The ways to show a listing, in the order in which the button goes through them. */
export const viewModes = ["list", "mosaic", "mosaic gallery"] as const;

/** The sides of the square thumbnails that can be asked for, in pixels. */
export const thumbSides = [256, 360, 640] as const;

/** The kinds of an entry, each of which is opened in its own way. */
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

/** The digests that a file can be asked for. */
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

/** The units that the life of a share can be counted in. */
export const shareUnits = ["seconds", "minutes", "hours", "days"] as const;
