/** The API contract as types: the server's answers and the requests of the browser's client. */
import type {
  checksumNames,
  densities,
  entryTypes,
  groupings,
  hookEvents,
  sortKeys,
  thumbKinds,
  thumbSides,
  tileSizes,
  typeColumns,
  viewModes,
} from "./schemas/choices/choices.ts";
import type { Resource } from "./schemas/entry.ts";

export { sortKeys, thumbSides, viewModes } from "./schemas/choices/choices.ts";
export type {
  Entry,
  Resource,
  SearchResult,
  SharedResource,
  TreeEntry,
  Usage,
} from "./schemas/entry.ts";
export type { MediaInfo, ThumbHashes } from "./schemas/media.ts";
export type { FolderView } from "./schemas/view.ts";
export type { ApiTokenDraft, ApiTokenInfo, NewApiToken } from "./schemas/api_token.ts";
export type { ErrorBody, SessionInfo } from "./schemas/session.ts";
export type { Branding, Settings } from "./schemas/settings.ts";
export type { OpenRequest, RequestInfo } from "./schemas/request.ts";
export type { ShareInfo, ShareWithToken } from "./schemas/share.ts";
export type { TokenUser, UserFields, UserInfo, UserPreferences } from "./schemas/user.ts";
export type { Sorting } from "./schemas/view.ts";
export type { Permissions, Rule } from "./schemas/rights.ts";

/** One of {@linkcode sortKeys}. */
export type SortBy = typeof sortKeys[number];

/** One of {@linkcode thumbSides}. */
export type ThumbSide = typeof thumbSides[number];

/** One of {@linkcode thumbKinds}. */
export type ThumbKind = typeof thumbKinds[number];

/** One of {@linkcode viewModes}. */
export type ViewMode = typeof viewModes[number];

/** One of {@linkcode groupings}. */
export type Grouping = typeof groupings[number];

/** A group of a listing, with the number of its entries in the whole folder. */
export type Group = NonNullable<Resource["groups"]>[number];

/** One of {@linkcode tileSizes}. */
export type TileSize = typeof tileSizes[number];

/** One of {@linkcode densities}. */
export type Density = typeof densities[number];

/** One of {@linkcode typeColumns}. */
export type TypeColumn = typeof typeColumns[number];

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
  /** The name of the user who shares it; "" when the settings hide it. */
  owner: string;
  /** The end of the share in seconds since 1970; 0 for none. */
  expire: number;
  /** Files are shown, not offered to be saved. */
  viewOnly: boolean;
  /** The user may add files to the folder on the page. */
  mayAdd: boolean;
  /** The user may change what is shared. */
  mayEdit: boolean;
  /**
   * Downloads are limited: nothing on the page is read from the files themselves, except a text
   * where the visitor may only view.
   */
  isLimited: boolean;
  /** Programs that unfurl the link get the name of the shared entry. */
  isUnfurled: boolean;
  /**
   * The neighbours of the file on the page; null for a folder, and for a file that is shared alone.
   */
  around: SharedNeighbours | null;
}

/** The place of a file among the files of its folder. */
export interface SharedNeighbours {
  /** Paths in the share; null at an end. */
  previous: string | null;
  next: string | null;
  /** From 1 up. */
  place: number;
  /** Number of files in the folder. */
  count: number;
}

/** A provider whose accounts may sign in, as pages tell of it. */
export interface PageProvider {
  /** Its name on the buttons. */
  Name: string;
  /** Nobody signs in by a password. */
  Only: boolean;
  /** The session of the page's user was opened by it. */
  Mine: boolean;
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
  /** The server sends mail. */
  EnableMail?: boolean;
  AuthMethod: "json" | "hook" | "noauth" | "proxy";
  LoginPage: boolean;
  /** The provider whose accounts may sign in; absent without one. */
  Provider?: PageProvider;
  /** Where signing out leads; "" for the login page. */
  LogoutPage: string;
  /** Shares show visitors no way to sign in. */
  HideLoginButton: boolean;
  /** The fewest characters of a new password. */
  MinimumPasswordLength: number;
  /** The colour of the browser's frame, as `#rrggbb`; "" for the theme's own. */
  Color: string;
  /** Nothing is shown of the disk's usage. */
  DisableUsedPercentage: boolean;
  Theme: "" | "light" | "dark";
  /** Resumable uploads: the largest part in bytes, and how often a part is tried again. */
  TusSettings: { chunkSize: number; retryCount: number };
  EnableThumbs: boolean;
  /** Pages can be installed as an app, and have a service worker. */
  Installable: boolean;
  /** The user is offered names while typing whom a share is for. */
  SuggestNames?: true;
  /** Only where the server was started with webhooks. */
  EnableWebhooks?: true;
  /** The kinds of files that get thumbnails now; empty where they are switched off. */
  ThumbKinds: ThumbKind[];
  ResizePreview: boolean;
  EnableExec: boolean;
  /** Search in contents. */
  EnableContents: boolean;
  /** Something is taken down in the activity log: details tell what was done. */
  EnableActivity: boolean;
  /** Addresses of the site's own style sheet, logo and icon, base URL included; "" for none. */
  CustomCss: string;
  Logo: string;
  Icon: string;
}
