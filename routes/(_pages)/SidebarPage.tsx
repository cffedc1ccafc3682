import { asset, Head } from "fresh/runtime";
import type { ReactNode } from "react";
import { PageRoot } from "../../lib/client/base/ui/PageRoot.tsx";
import type { Page } from "../../lib/shared/page_data.ts";

interface SidebarPageProps {
  page: Page;
  title: string;
  /** The words of the link that skips the sidebar. */
  skip: string;
  /** Its own styles; those of most pages when left out. */
  sheet?: "settings" | "photos";
  children: ReactNode;
}

/** A page with the sidebar, besides the files: its styles, and the link to its content. */
export function SidebarPage({ page, title, skip, sheet = "settings", children }: SidebarPageProps) {
  const { Name, BaseURL } = page.data.config;
  return (
    <PageRoot page={page} title={`${title} - ${Name}`} islands>
      <Head>
        <link rel="stylesheet" href={asset(`${BaseURL}/${sheet}.css`)} />
      </Head>
      <a className="skip-link" href="#content">{skip}</a>
      {children}
    </PageRoot>
  );
}
