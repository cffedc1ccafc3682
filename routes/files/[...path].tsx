import { page, type RouteConfig } from "fresh";
import { PageRoot } from "../../lib/client/base/ui/PageRoot.tsx";
import { FilesArea, Header, Overlays, Sidebar } from "../../islands/FilesPage.tsx";
import { FirstSteps } from "../../islands/FirstSteps.tsx";
import { FirstLook } from "../../lib/client/screens/preview/FirstLook.tsx";
import { parsePath } from "../../lib/shared/path.ts";
import type { Page } from "../../lib/shared/page_data.ts";
import { filesTitle } from "../../lib/client/base/navigation/navigation.ts";
import type { Clock } from "../../lib/shared/clock.ts";
import { define } from "../../lib/server/http/define.ts";
import { filesData, firstStepsOf, firstTextOf } from "../../lib/server/http/pages/files_data.ts";
import { openSidebarPage } from "../../lib/server/http/pages/open_page.ts";
import { filesHome, redirect, toSignIn } from "../../lib/server/http/pages/redirects.ts";
import { serverClock } from "../../lib/server/http/request/server_clock.ts";

/** A trailing slash matches as well, which the file's name alone does not. */
export const config: RouteConfig = { routeOverride: "/files/*?" };

/** A folder or file; errors have their status and are explained in place. */
export const handler = define.handlers({
  async GET(ctx) {
    if (!ctx.state.signedIn) return toSignIn(ctx);
    if (ctx.url.pathname === `${ctx.config.basePath}/files`) return redirect(filesHome(ctx));
    const files = await filesData(ctx);
    const data: FilesPageContent = {
      page: await openSidebarPage(ctx, { files, firstSteps: await firstStepsOf(ctx, files) }),
      text: await firstTextOf(ctx, files),
      clock: serverClock(ctx.req),
    };
    return page(data, {
      status: files.failure?.status ?? 200,
      headers: { "cache-control": "no-store" },
    });
  },
});

interface FilesPageContent {
  page: Page;
  /** The beginning of an open text. */
  text: string | null;
  clock: Clock;
}

/** The frame of the files area; the islands render its content. */
export default define.page<typeof handler>(function FilesPage({ data }) {
  const { page, text, clock } = data;
  const entry = page.data.files?.resource;
  const { t } = page.i18n;
  const title = filesTitle(t, parsePath(page.data.files?.path ?? "/").path);
  return (
    <PageRoot page={page} title={title} islands>
      <a className="skip-link" href="#content">{t("skip")}</a>
      <div className="shell">
        <Sidebar />
        <div className="shell__main">
          <Header />
          {page.data.firstSteps && <FirstSteps />}
          <main className="sheet" id="content">
            <FilesArea clock={clock}>
              {entry?.isDir === false && <FirstLook entry={entry} text={text} clock={clock} />}
            </FilesArea>
          </main>
        </div>
      </div>
      <Overlays />
    </PageRoot>
  );
});
