import {
  createContext,
  createElement,
  type ReactNode,
  useContext,
  useEffect,
  useState,
} from "react";
import { IS_BROWSER } from "fresh/runtime";
import { I18nextProvider, setI18n } from "react-i18next";
import type { Permissions } from "../../../shared/schemas/rights.ts";
import type { TokenUser } from "../../../shared/schemas/user.ts";
import { createPage, type Page, PAGE_ELEMENT, type PageData } from "../../../shared/page_data.ts";

const PageContext = createContext<Page | null>(null);

/**
 * Provides a page to the server's rendering: its data to {@linkcode usePage}, its texts to
 * `useTranslation`. The server has no texts outside of it, so that no request gets those of another.
 */
export function PageProvider({ page, children }: { page: Page; children: ReactNode }) {
  return createElement(
    PageContext.Provider,
    { value: page },
    createElement(I18nextProvider, { i18n: page.i18n }, children),
  );
}

/** The page of this document: islands have no common root, so its texts are set for all of them. */
const browserPage = IS_BROWSER ? readPage(document) : null;

/**
 * The page that is being shown: from {@linkcode PageProvider} on the server, from the page's own
 * element in the browser.
 *
 * @throws Error when the page carries no data
 */
export function usePage(): Page {
  const rendered = useContext(PageContext);
  const page = browserPage ?? rendered;
  if (page === null) throw new Error("Cannot render: no PageProvider is around this");
  return page;
}

/** Whether a user has a permission. Administrators have all, visitors none. */
export function mayUser(
  user: Pick<TokenUser, "perm"> | null,
  permission: keyof Permissions,
): boolean {
  return user !== null && (user.perm.admin || user.perm[permission]);
}

/** Whether whoever looks at a page may do something: visitors of a share may read. */
export function mayViewer(
  { share }: Pick<PageData, "share">,
  user: Pick<TokenUser, "perm"> | null,
  permission: keyof Permissions,
): boolean {
  return share ? permission === "download" : mayUser(user, permission);
}

/** Whether the page is hydrated: before, no handler takes what is pressed or submitted. */
export function useHydrated(): boolean {
  const [hydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  return hydrated;
}

/** Null for a document that has no data, such as the frame of a rendered text. */
function readPage(from: Document): Page | null {
  const text = from.getElementById(PAGE_ELEMENT)?.textContent;
  if (!text) return null;
  const page = createPage(JSON.parse(text) as PageData);
  setI18n(page.i18n);
  return page;
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
