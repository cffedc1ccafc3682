import type { i18n } from "i18next";
import type { RootsInfo } from "./named_roots.ts";
import { createI18n, type Words } from "./i18n/i18n.ts";
import type { Failure } from "./result.ts";
import type { RecipientRight, ThumbKind } from "./schemas/choices/choices.ts";
import type { Resource, Usage } from "./schemas/entry.ts";
import type { Ratios } from "./schemas/media.ts";
import type { Favorite } from "./schemas/places.ts";
import type { TokenUser } from "./schemas/user.ts";

/** Rows of a folder that the server renders. */
export const FIRST_ROWS = 50;

/** The id of the element that carries a page's data to the browser. */
export const PAGE_ELEMENT = "page-data";

/** The data that the server renders a page with and every island may read. Plain JSON. */
export interface PageData {
  config: PageConfig;
  /** The signed-in user; null on the login page and on public pages. */
  user: TokenUser | null;
  /** The locale of the texts, by the product's name for it: "en", "pt-br". */
  locale: string;
  /** Every text of the interface in that locale. */
  words: Words;
  /** The user's favourites, in their order; absent on pages without the sidebar. */
  favorites?: Favorite[];
  /** The named roots of the user; absent for a user with a scope. */
  roots?: RootsInfo;
  /** The usage of the disk or of the quota, where it was known at once and is to be seen. */
  usage?: Usage;
  /** How many notifications the user has not read; absent for none. */
  unread?: number;
  /** Others share something with the user; absent otherwise. */
  isSharedWith?: true;
  /** First steps for the administrator of a new server; absent otherwise. */
  firstSteps?: FirstSteps;
  /** The first content of a files page, or the place of a share's page; absent on other pages. */
  files?: FilesPageData;
  /** The share whose files a visitor looks at; absent on other pages. */
  share?: PageShare;
}

/** The share of a page, for the code that shows its files. */
export type PageShare = Pick<
  SharePageData,
  "hash" | "token" | "name" | "viewOnly" | "owner" | "mayEdit"
>;

/** A sync app that wants to be connected, as the page that asks its user tells of it. */
export interface AskingApp {
  /** The part of the link that names it. */
  flow: string;
  /** Its name, as it has said. */
  client: string;
  /** The address that it has asked from. */
  address: string;
  /** Whether that is the visitor's own address, or one of the same household. */
  isNear: boolean;
  /** Whether the user may change files. */
  mayWrite: boolean;
  /** Whether the user may share them. */
  mayShare: boolean;
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
  /** The most that links give to anyone; absent where all is allowed. */
  MaxLinkRight?: RecipientRight;
  /** Only where the server was started with webhooks. */
  EnableWebhooks?: true;
  /** The kinds of files that get thumbnails now; empty where they are switched off. */
  ThumbKinds: ThumbKind[];
  ResizePreview: boolean;
  /** Office documents are shown as PDF. */
  EnablePapers: boolean;
  /** Films and music that browsers do not decode are converted. */
  EnableStreams: boolean;
  /** An office server edits documents. */
  EnableOffice?: true;
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

/** The first steps on a new server, each done or not. */
export interface FirstSteps {
  /** Present as long as the password is the one that the server has printed. */
  password?: false;
  upload: boolean;
  user: boolean;
  share: boolean;
}

/**
 * The first part of the addresses of an area: of the files, of the photos of all folders, or of
 * documents in the office server.
 */
export type Area = "files" | "photos" | "office";

/** The folder or file that a files page opens with. */
export interface FilesPageData {
  /** Absent for the files. */
  area?: Exclude<Area, "files">;
  /** The decoded path: "/photos". */
  path: string;
  /** With the first 50 rows of a folder; null when it could not be read. */
  resource: Resource | null;
  failure: Failure | null;
  /** Of a folder that is shown as photos. */
  ratios?: Ratios;
}

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
  /** What signing in would add for those who are named; null for a user, and where it adds nothing. */
  signInTo: "upload" | "edit" | null;
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
  /** Of a folder that is shown as photos at first. */
  ratios?: Ratios;
}

/**
 * How the page of a shared folder shows its entries at first. Pictures can be shown as photos where
 * their content may be read.
 */
export function firstShareView(
  { resource: { items = [] }, isLimited, mayEdit }: Pick<
    SharePageData,
    "resource" | "isLimited" | "mayEdit"
  >,
): "list" | "grid" | "photos" {
  const pictures = items.filter(({ type }) => type === "image").length;
  if (pictures * 2 <= items.length) return "list";
  return isLimited || mayEdit ? "grid" : "photos";
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

/** Why a sign-in by an account elsewhere was refused, as the sign-in page tells it. */
export const loginRefusals = [
  "away",
  "cancelled",
  "expired",
  "failed",
  "refused",
  "throttled",
] as const;

/** One of {@linkcode loginRefusals}. */
export type LoginRefusal = typeof loginRefusals[number];

/** A page's data with its translations. */
export interface Page {
  data: PageData;
  i18n: i18n;
}

/** Creates a page as a browser does of its data; the server has `i18nOf()`. */
export function createPage(data: PageData): Page {
  return { data, i18n: createI18n(data.locale, data.words) };
}

/**
 * The text of the page's `<script type="application/json" id={PAGE_ELEMENT}>`. No "<" is left in
 * it, so that a file named `</script>` can't end the element.
 */
export function pageJson(data: PageData): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

/** The colours of the browser's own frame in each theme: those of the token `canvas`. */
export const frameColors = { light: "#eff4f1", dark: "#0e1211" } as const;
