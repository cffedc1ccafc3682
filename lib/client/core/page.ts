import type { i18n as I18n } from "i18next";
import { createContext, useContext } from "react";
import { IS_BROWSER } from "fresh/runtime";
import type { PageConfig, Permissions, Resource, TokenUser } from "../../shared/api_types.ts";
import { createI18n } from "../../shared/i18n/instance.ts";
import type { Words } from "../../shared/i18n/words.ts";
import type { Failure } from "../api/result.ts";

/** The id of the element that carries a page's data to the browser. */
export const PAGE_ELEMENT = "page-data";

/** What the server knows when it renders a page and every island may read. Plain JSON. */
export interface PageData {
  config: PageConfig;
  /** Who is signed in; null on the login page and the public ones. */
  user: TokenUser | null;
  /** The locale of the words, as the product names it: "en", "pt-br". */
  locale: string;
  /** Every text of the interface in that locale. */
  words: Words;
  /** What a files page shows at first; absent on other pages. */
  files?: FilesPageData;
}

/** The folder or file that a files page opens with. */
export interface FilesPageData {
  /** The decoded path: "/photos". */
  path: string;
  /** With the first 50 rows of a folder; null when it could not be read. */
  resource: Resource | null;
  failure: Failure | null;
}

/** A page's data together with the texts, ready to be asked for. */
export interface Page {
  data: PageData;
  i18n: I18n;
}

/** Hands the page to everything rendered on the server: wrap each page's content in its Provider. */
export const PageContext = createContext<Page | null>(null);

/** Makes the page of one render on the server. */
export function createPage(data: PageData): Page {
  return { data, i18n: createI18n(data.locale, data.words) };
}

/**
 * The text of the page's `<script type="application/json" id={PAGE_ELEMENT}>`. No "<" is left in it,
 * so that a file named `</script>` can't end the element.
 */
export function pageJson(data: PageData): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

let browserPage: Page | undefined;

/**
 * The page that is being shown: from {@link PageContext} on the server, from the page's own element
 * in the browser, where islands have no common root.
 *
 * @throws Error when the page carries no data
 */
export function usePage(): Page {
  const rendered = useContext(PageContext);
  const page = IS_BROWSER ? browserPage ??= readPage(document) : rendered;
  if (page === null) throw new Error("Cannot render: no PageContext.Provider is around this");
  return page;
}

/** Whether somebody may do something: an administrator may do everything, nobody nothing. */
export function mayUser(
  user: Pick<TokenUser, "perm"> | null,
  permission: keyof Permissions,
): boolean {
  return user !== null && (user.perm.admin || user.perm[permission]);
}

/** What the user of the page may do. */
export function useMay(): (permission: keyof Permissions) => boolean {
  const { user } = usePage().data;
  return (permission) => mayUser(user, permission);
}

function readPage(from: Document): Page {
  const text = from.getElementById(PAGE_ELEMENT)?.textContent;
  if (!text) throw new Error(`Cannot start: the page has no element "${PAGE_ELEMENT}"`);
  return createPage(JSON.parse(text) as PageData);
}
