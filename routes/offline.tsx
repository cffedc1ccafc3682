import { page } from "fresh";
import { asset, Head } from "fresh/runtime";
import { Unplug } from "lucide";
import { StatusScreen } from "../components/StatusScreen.tsx";
import { appearanceOf } from "../lib/client/files_page/offline/install.ts";
import { StagePage } from "../lib/client/base/ui/PageRoot.tsx";
import type { Page } from "../lib/shared/page_data.ts";
import { define } from "../lib/server/http/define.ts";
import { openPage } from "../lib/server/http/pages/open_page.ts";

/**
 * The page that the service worker shows while the server does not answer. Kept in the browser, so
 * it has nothing of the user but the language and the theme.
 */
export const handler = define.handlers({
  async GET(ctx) {
    const content: OfflineContent = { page: await openPage(ctx) };
    const { locale, config } = content.page.data;
    return page(content, {
      headers: { "cache-control": "no-store", "x-look": appearanceOf(locale, config.Theme) },
    });
  },
});

interface OfflineContent {
  page: Page;
}

/** The page: what is the case, and that it goes on by itself. */
export default define.page<typeof handler>(function OfflinePage({ data: { page } }) {
  const { t } = page.i18n;
  const { BaseURL } = page.data.config;
  return (
    <StagePage page={page} title={t("status.offlineTitle")} wide>
      <Head>
        <script src={asset(`${BaseURL}/offline.js`)} defer />
      </Head>
      <StatusScreen
        glyph={Unplug}
        variant="error"
        heading="h1"
        title={t("status.offlineTitle")}
        text={t("offline.text")}
      >
        <a className="button button--primary" href="" data-again>{t("buttons.retry")}</a>
      </StatusScreen>
    </StagePage>
  );
});
