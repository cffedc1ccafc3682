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

/** The factors besides the password: a code of an app, a passkey, a recovery code. */
export const factorMethods = ["totp", "passkey", "recovery"] as const;

/** One of {@linkcode factorMethods}. */
export type FactorMethod = typeof factorMethods[number];

/** The properties that a listing can be sorted by. */
export const sortKeys = ["name", "size", "modified", "taken"] as const;

/** One of {@linkcode sortKeys}. */
export type SortBy = typeof sortKeys[number];

/**
 * The view modes of a listing, in the order of their menu, by File Browser's names: `mosaic` is the
 * grid, `mosaic gallery` the photos.
 */
export const viewModes = ["list", "mosaic", "mosaic gallery"] as const;

/** One of {@linkcode viewModes}. */
export type ViewMode = typeof viewModes[number];

/** The sizes of tiles in the grid and among photos. */
export const tileSizes = ["small", "medium", "large"] as const;

/** How the entries of a folder are put in groups, under headings. */
export const groupings = ["none", "kind", "month", "day"] as const;

/** One of {@linkcode groupings}. */
export type Grouping = typeof groupings[number];

/** How much room the rows of a list take. */
export const densities = ["comfortable", "compact"] as const;

/** When the column with the types of entries is shown: by itself where there is room for it. */
export const typeColumns = ["auto", "shown", "hidden"] as const;

/** The sizes of thumbnails, in pixels: the side of a square. */
export const thumbSides = [256, 360, 640] as const;

/** One of {@linkcode thumbSides}. */
export type ThumbSide = typeof thumbSides[number];

/** The kinds of entries that can have a thumbnail: types of files, and folders. */
const thumbKinds = ["image", "video", "audio", "pdf", "folder"] as const;

/** One of {@linkcode thumbKinds}. */
export type ThumbKind = typeof thumbKinds[number];

/** The most entries of a folder whose ratios the server tells. */
export const maxRatios = 20_000;

/** The ratio of what is no picture, in percent: a square. */
export const NO_RATIO = 100;

/** The most paths in one request for the hashes of thumbnails. */
export const maxHashedPaths = 200;

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

/** The kind of an entry, which decides how it is opened. */
export type EntryType = typeof entryTypes[number];

/**
 * The types of files that pages show or play from their own bytes, beside one another; also for
 * viewing alone. They may tell facts about themselves.
 */
export const mediaTypes: ReadonlySet<EntryType> = new Set(
  ["image", "audio", "video", "pdf"] as const,
);

/** The checksum algorithms. */
export const checksumNames = ["md5", "sha1", "sha256", "sha512"] as const;

/** One of {@linkcode checksumNames}. */
export type ChecksumName = typeof checksumNames[number];

/** The kinds of archive that are written; the most widely supported one first. */
export const archiveFormats = [
  "zip",
  "tar",
  "tar.gz",
  "tar.bz2",
  "tar.xz",
  "tar.zst",
  "tar.lz4",
  "tar.sz",
  "tar.br",
] as const;

/** One of {@linkcode archiveFormats}. */
export type ArchiveFormat = typeof archiveFormats[number];

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

/** One of {@linkcode hookEvents}. */
export type HookEvent = typeof hookEvents[number];

/** The units of a share's lifetime. */
export const shareUnits = ["seconds", "minutes", "hours", "days"] as const;

/** The rights of a recipient of a share: each includes those before it. */
export const recipientRights = ["view", "download", "upload", "edit"] as const;

/** The rights of a recipient of a share. */
export type RecipientRight = typeof recipientRights[number];

/** Whether a right is another one, or includes it. */
export function includesRight(right: RecipientRight, other: RecipientRight): boolean {
  return recipientRights.indexOf(right) >= recipientRights.indexOf(other);
}

/** The lesser one of two rights. */
export function lesserRight(one: RecipientRight, other: RecipientRight): RecipientRight {
  return includesRight(one, other) ? other : one;
}

/** The bounds of the setting for the fewest characters of a password. */
export const minPasswordLength = 12;
export const maxPasswordLength = 72;

/** A colour as settings hold it: "#0a7d5c", "#0ad", or "" for none. */
export const colorPattern = /^(#(?:[\da-fA-F]{3}|[\da-fA-F]{6}))?$/;

/** The uses of a file that are listed under "Recent". */
export const recentUses = ["opened", "uploaded", "changed"] as const;

/** The themes that a user can choose; "" is the site's, and `system` follows the device. */
export const userThemes = ["", "system", "light", "dark"] as const;

/** Who must have a second factor. */
export const factorDuties = ["nobody", "administrators", "everybody"] as const;

/** The longest name of a passkey, in characters. */
export const maxPasskeyNameLength = 60;
