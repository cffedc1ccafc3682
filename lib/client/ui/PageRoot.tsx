import { Head } from "fresh/runtime";
import type { ReactNode } from "react";
import { type Page, PAGE_ELEMENT, PageContext, pageJson } from "../core/page.ts";

interface PageRootProps {
  page: Page;
  /** What stands in the tab of the browser. */
  title: string;
  /** The page has islands, which read its data in the browser. */
  islands?: boolean;
  children: ReactNode;
}

/** The outermost element of a page: its title, its texts, and its data for the browser. */
export function PageRoot({ page, title, islands = false, children }: PageRootProps) {
  return (
    <PageContext.Provider value={page}>
      <Head>
        <title>{title}</title>
      </Head>
      {children}
      {islands && (
        <script
          type="application/json"
          id={PAGE_ELEMENT}
          // deno-lint-ignore react-no-danger -- pageJson leaves nothing that could end the element
          dangerouslySetInnerHTML={{ __html: pageJson(page.data) }}
        />
      )}
    </PageContext.Provider>
  );
}
