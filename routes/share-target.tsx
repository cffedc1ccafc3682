import { page } from "fresh";
import { Share } from "lucide";
import { StatusScreen } from "../components/StatusScreen.tsx";
import { StagePage } from "../lib/client/base/ui/PageRoot.tsx";
import type { Page } from "../lib/shared/page_data.ts";
import { define } from "../lib/server/http/define.ts";
import { openPage } from "../lib/server/http/pages/open_page.ts";
import { filesHome, redirect } from "../lib/server/http/pages/redirects.ts";

/**
 * Where the system's share menu sends files to the installed app. The service worker takes them, so
 * a request comes here only without one. It is not read: a POST that opens a page carries no proof
 * that the user wanted it, so no file may arrive by it.
 */
export const handler = define.handlers({
  GET: (ctx) => redirect(filesHome(ctx)),

  async POST(ctx) {
    await ctx.req.body?.cancel();
    const content: NothingTaken = { page: await openPage(ctx) };
    return page(content, { status: 503, headers: { "cache-control": "no-store" } });
  },
});

interface NothingTaken {
  page: Page;
}

/** The page: nothing was taken, and what to do. */
export default define.page<typeof handler>(function ShareTargetPage({ data: { page } }) {
  const { t } = page.i18n;
  const { BaseURL } = page.data.config;
  return (
    <StagePage page={page} title={t("offline.notTaken")} wide>
      <StatusScreen
        glyph={Share}
        heading="h1"
        title={t("offline.notTaken")}
        text={t("offline.again")}
      >
        <a className="button button--primary" href={`${BaseURL}/files/`}>
          {t("status.backToFiles")}
        </a>
      </StatusScreen>
    </StagePage>
  );
});
