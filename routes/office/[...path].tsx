import { page, type RouteConfig } from "fresh";
import { asset, Head } from "fresh/runtime";
import { OfficeArea } from "../../islands/OfficeArea.tsx";
import { filesTitle } from "../../lib/client/base/navigation/navigation.ts";
import { PageRoot } from "../../lib/client/base/ui/PageRoot.tsx";
import { define } from "../../lib/server/http/define.ts";
import { filesData } from "../../lib/server/http/pages/files_data.ts";
import { admitsEditor } from "../../lib/server/http/pages/office_page.ts";
import { openPage } from "../../lib/server/http/pages/open_page.ts";
import { redirect, toSignIn } from "../../lib/server/http/pages/redirects.ts";
import { parsePath } from "../../lib/shared/path.ts";

/** A trailing slash matches as well, which the file's name alone does not. */
export const config: RouteConfig = { routeOverride: "/office/*?" };

/** A document in the office server. All else leads to the page of the files. */
export const handler = define.handlers({
  async GET(ctx) {
    if (!ctx.state.signedIn) return toSignIn(ctx);
    const files = await filesData(ctx, "office");
    if (!files.resource || !admitsEditor(ctx, files.resource)) {
      const { basePath } = ctx.config;
      return redirect(`${basePath}/files${ctx.url.pathname.slice(`${basePath}/office`.length)}`);
    }
    return page({ entry: files.resource, page: await openPage(ctx, { files }) }, {
      headers: { "cache-control": "no-store" },
    });
  },
});

/** The frame of the document; the island fills it. */
export default define.page<typeof handler>(function OfficePage({ data: { page, entry } }) {
  const { t } = page.i18n;
  const title = filesTitle(t, parsePath(entry.path).path);
  return (
    <PageRoot page={page} title={title} islands>
      <Head>
        <link rel="stylesheet" href={asset(`${page.data.config.BaseURL}/office.css`)} />
      </Head>
      <OfficeArea entry={entry} />
    </PageRoot>
  );
});
