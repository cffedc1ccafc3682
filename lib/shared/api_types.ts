/** The API contract as types: the server's answers and the requests of the browser's client. */
import type {
  checksumNames,
  entryTypes,
  hookEvents,
  sortKeys,
  thumbSides,
  viewModes,
} from "./schemas/choices.ts";
import type { Resource } from "./schemas/entry.ts";

export { sortKeys, thumbSides, viewModes } from "./schemas/choices.ts";
export type {
  Entry,
  Resource,
  SearchResult,
  SharedResource,
  TreeEntry,
  Usage,
} from "./schemas/entry.ts";
export type { ErrorBody, SessionInfo } from "./schemas/session.ts";
export type { Branding, Settings } from "./schemas/settings.ts";
export type { ShareInfo, ShareWithToken } from "./schemas/share.ts";
export type {
  Permissions,
  Rule,
  Sorting,
  TokenUser,
  UserFields,
  UserInfo,
  UserPreferences,
} from "./schemas/user.ts";

/** One of {@linkcode sortKeys}. */
export type SortBy = typeof sortKeys[number];

/** One of {@linkcode thumbSides}. */
export type ThumbSide = typeof thumbSides[number];

/** One of {@linkcode viewModes}. */
export type ViewMode = typeof viewModes[number];

/** The kind of an entry, which decides how it is opened. */
export type EntryType = typeof entryTypes[number];

/** One of {@linkcode checksumNames}. */
export type ChecksumName = typeof checksumNames[number];

/** One of the events that command lines can be hooked to. */
export type HookEvent = typeof hookEvents[number];

/** The data of a share's page. */
export interface SharePageData {
  hash: string;
  /** The name of the shared entry, whichever part of it is shown. */
  name: string;
  resource: Resource;
  /** For the addresses of downloads; "" when the share has no password. */
  token: string;
  /** The offset of the first row on this page; 0 for the first page. */
  first: number;
  /** The query of the page with more entries; null when all are shown. */
  more: string | null;
  /** The address of this page, for links. */
  link: string;
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
  /** The program's version; empty for visitors who are not signed in. */
  Version: string;
  NoAuth: boolean;
  AuthMethod: "json" | "noauth" | "proxy";
  LoginPage: boolean;
  /** Where signing out leads; "" for the login page. */
  LogoutPage: string;
  /** Shares show visitors no way to sign in. */
  HideLoginButton: boolean;
  /** The colour of the browser's frame, as `#rrggbb`; "" for the theme's own. */
  Color: string;
  /** Nothing is shown of the disk's usage. */
  DisableUsedPercentage: boolean;
  Theme: "" | "light" | "dark";
  /** Resumable uploads: the largest part in bytes, and how often a part is tried again. */
  TusSettings: { chunkSize: number; retryCount: number };
  EnableThumbs: boolean;
  ResizePreview: boolean;
  EnableExec: boolean;
  /** Addresses of the site's own style sheet, logo and icon, base URL included; "" for none. */
  CustomCss: string;
  Logo: string;
  Icon: string;
}
