import { Head } from "fresh/runtime";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { EARLY_CLICK } from "../core/early_click.ts";
import { PageProvider } from "../core/page.ts";
import { type Page, PAGE_ELEMENT, pageJson } from "../../../shared/page_data.ts";
import { ErrorScreen } from "../../../../components/StatusScreen.tsx";

interface PageRootProps {
  page: Page;
  /** The title of the document. */
  title: string;
  /** The page has islands, which read its data in the browser. */
  islands?: boolean;
  children: ReactNode;
}

/** The root element of a page: its title, its texts, and its data for the browser. */
export function PageRoot({ page, title, islands = false, children }: PageRootProps) {
  return (
    <PageProvider page={page}>
      <Head>
        <title>{title}</title>
      </Head>
      {children}
      {islands && (
        <script
          // deno-lint-ignore react-no-danger -- a constant
          dangerouslySetInnerHTML={{ __html: EARLY_CLICK }}
        />
      )}
      {islands && (
        <script
          type="application/json"
          id={PAGE_ELEMENT}
          // deno-lint-ignore react-no-danger -- pageJson leaves nothing that could end the element
          dangerouslySetInnerHTML={{ __html: pageJson(page.data) }}
        />
      )}
    </PageProvider>
  );
}

interface StagePageProps extends Omit<PageRootProps, "title"> {
  /** The title of the page, before the name of the site. */
  title: string;
  /** The card is wider. */
  wide?: boolean;
  /** The words below the card; the name of the site by default. */
  foot?: string;
}

/** A page of one card, for those who are not among their files. */
export function StagePage({ page, title, islands, wide, foot, children }: StagePageProps) {
  const { Name } = page.data.config;
  return (
    <PageRoot page={page} title={`${title} - ${Name}`} islands={islands}>
      <main className="stage">
        <div className={wide ? "stage__card stage__card--wide" : "stage__card"}>{children}</div>
        <p className="stage__foot">{foot ?? Name}</p>
      </main>
    </PageRoot>
  );
}

interface ErrorPageProps {
  page: Page;
  status: number;
}

/** A full-page error screen with the site's name and a way back. */
export function ErrorPage({ page, status }: ErrorPageProps) {
  return (
    <StagePage page={page} title={String(status)} wide>
      <ErrorScreen status={status} heading="h1">
        <ErrorActions page={page} />
      </ErrorScreen>
    </StagePage>
  );
}

function ErrorActions({ page }: { page: Page }) {
  const { t } = useTranslation();
  return (
    <a className="button button--primary" href={`${page.data.config.BaseURL}/files/`}>
      {t("status.backToFiles")}
    </a>
  );
}
