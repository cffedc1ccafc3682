/** The contract in types: what the server answers and the browser's client reads. */

/** What a user may do. `admin` implies all the others. */
export interface Permissions {
  admin: boolean;
  create: boolean;
  delete: boolean;
  download: boolean;
  execute: boolean;
  modify: boolean;
  rename: boolean;
  share: boolean;
}

/** One access rule: by path with all that is below it, or by regular expression (RE2 syntax). */
export interface Rule {
  allow: boolean;
  path: string;
  regex: boolean;
  regexp: { raw: string };
}

/** What a listing can be sorted by. */
export const sortKeys = ["name", "size", "modified"] as const;

/** One of {@linkcode sortKeys}. */
export type SortBy = typeof sortKeys[number];

/** How large thumbnails can be had: the sides of squares, in pixels. */
export const thumbSides = [256, 360, 640] as const;

/** One of {@linkcode thumbSides}. */
export type ThumbSide = typeof thumbSides[number];

/** An order of entries; `asc` is A to Z, small to large, old to new. Folders come first in both. */
export interface Sorting {
  by: SortBy;
  asc: boolean;
}

/** How a listing can be shown, in the order in which the button goes through them. */
export const viewModes = ["list", "mosaic", "mosaic gallery"] as const;

/** One of {@linkcode viewModes}. */
export type ViewMode = typeof viewModes[number];

/** The kind of an entry, which decides how it is opened. */
export type EntryType =
  | "listing"
  | "image"
  | "audio"
  | "video"
  | "pdf"
  | "text"
  | "textImmutable"
  | "blob"
  | "invalid_link";

/** One file or folder as an answer describes it. */
export interface Entry {
  /** The last segment of the path; "" for the scope's root. */
  name: string;
  /** The path inside the scope, not percent-encoded: "/photos/sea.jpg". */
  path: string;
  isDir: boolean;
  isSymlink: boolean;
  type: EntryType;
  /** Bytes; for a folder what the file system says of the folder itself. */
  size: number;
  /** RFC 3339 in UTC. */
  modified: string;
  /** With its dot, lower case: ".jpg"; "" when there is none. */
  extension: string;
  /** Permission bits as a number, e.g. 0o644 = 420. */
  mode: number;
}

/** The digests that a file can be asked for. */
export type ChecksumName = "md5" | "sha1" | "sha256" | "sha512";

/** The answer to `GET /api/resources/{path}`. */
export interface Resource extends Entry {
  /** The requested window of the folder's entries, sorted. Folders only. */
  items?: Entry[];
  /** Counts of the whole folder, whatever the window. Folders only. */
  numDirs?: number;
  numFiles?: number;
  sorting?: Sorting;
  /** Where the window begins; with `?around=`. Folders only. */
  offset?: number;
  /** The text, for text files up to 10 MiB and a user who may download. */
  content?: string;
  /**
   * How the text is kept, to be given back as `?encoding=` when it is saved: what `TextDecoder` calls
   * the encoding, with "-bom" after it when the file begins with a byte order mark, which `content`
   * does not have: "utf-8", "utf-16le-bom", "windows-1252".
   */
  encoding?: string;
  /** How the lines of the text end. */
  lineEnding?: "lf" | "crlf" | "cr" | "mixed";
  /** The version of a file that was read: the answer's `ETag`, which the client puts in here. */
  version?: string;
  /** Paths of the subtitles that belong to a video. */
  subtitles?: string[];
  /** Hexadecimal digests by algorithm, when asked for. */
  checksums?: Partial<Record<ChecksumName, string>>;
}

/** What a token says about its user, and what pages know of the one who is signed in. */
export interface TokenUser {
  id: number;
  username: string;
  locale: string;
  viewMode: ViewMode;
  singleClick: boolean;
  dateFormat: boolean;
  hideDotfiles: boolean;
  perm: Permissions;
  commands: string[];
  lockPassword: boolean;
}

/** One session as its owner sees it. Times are RFC 3339. */
export interface SessionInfo {
  sid: string;
  created: string;
  lastSeen: string;
  address: string;
  agent: string;
  current: boolean;
}

/** The answer to `GET /api/usage/{path}`, in bytes of the disk that holds the path. */
export interface Usage {
  total: number;
  used: number;
}

/** A share as its owner and administrators see it. */
export interface ShareInfo {
  hash: string;
  /** What is shared, in the owner's scope. */
  path: string;
  userID: number;
  /** Seconds since 1970; 0 for ever. */
  expire: number;
  hasPassword: boolean;
}

/** A share as the calls about one entry give it: with what its download link needs. */
export interface ShareWithToken extends ShareInfo {
  /** Opens the share for two hours, in `?token=`; "" when it has no password. */
  token: string;
}

/** What a visitor is told of a share, or of an entry in it: paths count from what is shared. */
export interface SharedResource extends Resource {
  hash: string;
  /** Opens the share for two hours, in `?token=`; "" when it has no password. */
  token: string;
}

/** What is settable about a user besides name and password; the global defaults have it, too. */
export interface UserPreferences {
  /** The user's root: an absolute path below the server's root, "/" for all of it. */
  scope: string;
  /** A language code, or "" for the browser's language. */
  locale: string;
  viewMode: ViewMode;
  /** One click opens, instead of two. */
  singleClick: boolean;
  sorting: Sorting;
  perm: Permissions;
  /** The programs this user may run. */
  commands: string[];
  hideDotfiles: boolean;
  /** Exact dates instead of relative ones. */
  dateFormat: boolean;
}

/** What an administrator settles about a user, without the password. */
export interface UserFields extends UserPreferences {
  username: string;
  /** The user may not change the own password. */
  lockPassword: boolean;
  /** Applied after the global rules. */
  rules: Rule[];
}

/** A user as administrators and the user itself see it: everything but the hash and our counts. */
export interface UserInfo extends UserFields {
  id: number;
}

/** One of the events that command lines can be hooked to. */
export type HookEvent = `${"before" | "after"}_${
  | "save"
  | "copy"
  | "rename"
  | "upload"
  | "delete"}`;

/** How the site presents itself. */
export interface Branding {
  /** The site's name, or "" for the product's. */
  name: string;
  /** No links to other sites. */
  disableExternal: boolean;
  theme: "" | "light" | "dark";
  /** A folder on the server with `custom.css` and images, or "". */
  files: string;
}

/** What administrators settle for the whole server. */
export interface Settings {
  /** Visitors may make themselves a user. */
  signup: boolean;
  /** New users get a home folder of their own. */
  createUserDir: boolean;
  /** Apply to everybody, before the user's own. */
  rules: Rule[];
  /** The shell that hooked lines and typed ones are handed to, word by word; empty for none. */
  shell: string[];
  /** Command lines by event. */
  commands: Record<HookEvent, string[]>;
  /** What a new user starts with. */
  defaults: UserPreferences;
  branding: Branding;
}

/** What the page of a share shows. */
export interface SharePageData {
  hash: string;
  /** The name of what is shared, whatever of it is shown. */
  name: string;
  resource: Resource;
  /** For the addresses of downloads; "" when the share has no password. */
  token: string;
  /** The first of the entries that were not shown before; 0 for all of them. */
  first: number;
  /** The query of the page that shows more entries; null when all are there. */
  more: string | null;
  /** The address of this page, for others. */
  link: string;
}

/** The body of an error when the request accepts JSON. */
export interface ErrorBody {
  code: string;
  message: string;
}

/** The configuration that every page hands to the browser. */
export interface PageConfig {
  Name: string;
  DisableExternal: boolean;
  /** "" or "/base", never with a trailing slash. */
  BaseURL: string;
  StaticURL: string;
  ReCaptcha: boolean;
  /** The origin of the captcha's widget; "" for none. */
  ReCaptchaHost: string;
  ReCaptchaKey: string;
  Signup: boolean;
  /** Of the program; empty for visitors who are not signed in. */
  Version: string;
  NoAuth: boolean;
  AuthMethod: "json" | "noauth" | "proxy";
  LoginPage: boolean;
  Theme: "" | "light" | "dark";
  EnableThumbs: boolean;
  ResizePreview: boolean;
  EnableExec: boolean;
  /** Addresses of the site's own style sheet, logo and icon, base URL included; "" for none. */
  CustomCss: string;
  Logo: string;
  Icon: string;
}
