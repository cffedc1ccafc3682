/** Renders a component as the server does: with a page around it, in English. */
import "../../../lib/client/files_page/layout/open_files.ts";
import { renderToString } from "preact-render-to-string";
import type { ReactNode } from "react";
import { PageProvider } from "../../../lib/client/base/core/page.ts";
import { createPage, type PageData } from "../../../lib/shared/page_data.ts";
import { pageDataOf } from "./page_data.ts";

/** The markup of a component on a page with this data. */
export function markupOf(content: ReactNode, data: Partial<PageData> = {}): string {
  const page = createPage(pageDataOf(data));
  return renderToString(<PageProvider page={page}>{content}</PageProvider>);
}
