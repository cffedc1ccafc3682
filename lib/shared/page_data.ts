import type { i18n } from "i18next";
import type { RootsInfo } from "./named_roots.ts";
import { createI18n, type Words } from "./i18n/i18n.ts";
import type { PageConfig, Resource, TokenUser } from "./api_types.ts";
import type { Failure } from "./result.ts";
import type { Favorite } from "./schemas/places.ts";

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
  /** How many notifications the user has not read; absent for none. */
  unread?: number;
  /** Others share something with the user; absent otherwise. */
  isSharedWith?: true;
  /** First steps for the administrator of a new server; absent otherwise. */
  firstSteps?: FirstSteps;
  /** The first content of a files page; absent on other pages. */
  files?: FilesPageData;
}

/** The first steps on a new server, each done or not. */
export interface FirstSteps {
  /** Present as long as the password is the one that the server has printed. */
  password?: false;
  upload: boolean;
  user: boolean;
  share: boolean;
}

/** The folder or file that a files page opens with. */
export interface FilesPageData {
  /** The decoded path: "/photos". */
  path: string;
  /** With the first 50 rows of a folder; null when it could not be read. */
  resource: Resource | null;
  failure: Failure | null;
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
