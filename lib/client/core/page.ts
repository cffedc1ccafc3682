import { IS_BROWSER } from "fresh/runtime";
import type { i18n as I18n } from "i18next";
import { createContext, useContext } from "react";
import type { PageConfig, Permissions, Resource, TokenUser } from "../../shared/api_types.ts";
import { createI18n } from "../../shared/i18n/instance.ts";
import type { Words } from "../../shared/i18n/words.ts";
import type { Failure } from "../api/result.ts";

/** The id of the element that carries a page's data to the browser. */
export const PAGE_ELEMENT = "page-data";

/** The data that the server renders a page with and every island may read. Plain JSON. */
export interface PageData {
  config: PageConfig;
  /** The signed-in user; null on the login page and on public pages. */
  user: TokenUser | null;
  /** The locale of the words, as the product names it: "en", "pt-br". */
  locale: string;
  /** Every text of the interface in that locale. */
  words: Words;
  /** The first content of a files page; absent on other pages. */
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

/** Whether a user has a permission. Administrators have all, visitors none. */
export function mayUser(
  user: Pick<TokenUser, "perm"> | null,
  permission: keyof Permissions,
): boolean {
  return user !== null && (user.perm.admin || user.perm[permission]);
}

/** The permission check of the page's user. */
export function useMay(): (permission: keyof Permissions) => boolean {
  const { user } = usePage().data;
  return (permission) => mayUser(user, permission);
}

function readPage(from: Document): Page {
  const text = from.getElementById(PAGE_ELEMENT)?.textContent;
  if (!text) throw new Error(`Cannot start: the page has no element "${PAGE_ELEMENT}"`);
  return createPage(JSON.parse(text) as PageData);
}

const shared = new Map<string, unknown>();

/**
 * A singleton shared by the islands of a page. Islands are separate roots, so in the browser it
 * lives in this module. On the server each call creates its own, so that no data crosses requests.
 *
 * @param key names the object; one key always goes with one `create`
 */
export function useShared<T>(key: string, create: () => T): T {
  if (!IS_BROWSER) return create();
  if (!shared.has(key)) shared.set(key, create());
  return shared.get(key) as T;
}
