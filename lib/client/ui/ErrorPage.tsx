import type { Page } from "../core/page.ts";
import { useTranslation } from "../core/use_translation.ts";
import { ErrorScreen } from "./ErrorScreen.tsx";
import { PageRoot } from "./PageRoot.tsx";

interface ErrorPageProps {
  page: Page;
  status: number;
}

/** A whole page that says what went wrong, under the name of the site, with a way back. */
export function ErrorPage({ page, status }: ErrorPageProps) {
  const { Name } = page.data.config;
  return (
    <PageRoot page={page} title={`${status} - ${Name}`}>
      <main className="stage">
        <div className="stage__card stage__card--wide">
          <ErrorScreen status={status} heading="h1">
            <WayBack page={page} />
          </ErrorScreen>
        </div>
        <p className="stage__foot">{Name}</p>
      </main>
    </PageRoot>
  );
}

function WayBack({ page }: { page: Page }) {
  const { t } = useTranslation();
  return (
    <a className="button button--primary" href={`${page.data.config.BaseURL}/files/`}>
      {t("status.backToFiles")}
    </a>
  );
}
