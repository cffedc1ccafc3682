import { createContext, useContext, useEffect, useState } from "react";
import { IS_BROWSER } from "fresh/runtime";
import type { Permissions, TokenUser } from "../../../shared/api_types.ts";
import { createPage, type Page, PAGE_ELEMENT, type PageData } from "../../../shared/page_data.ts";

/** Provides the page to the server's rendering: wrap each page's content in its Provider. */
export const PageContext = createContext<Page | null>(null);

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

/** Whether the page is hydrated: before, no handler takes what is pressed or submitted. */
export function useHydrated(): boolean {
  const [hydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  return hydrated;
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
