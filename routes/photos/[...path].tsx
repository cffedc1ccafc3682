import { page, type RouteConfig } from "fresh";
import { SidebarPage } from "../(_pages)/SidebarPage.tsx";
import { PhotosArea } from "../../islands/PhotosArea.tsx";
import { define } from "../../lib/server/http/define.ts";
import { filesData } from "../../lib/server/http/pages/files_data.ts";
import { guard, openSidebarPage } from "../../lib/server/http/pages/open_page.ts";
import { photosData } from "../../lib/server/http/pages/photos_data.ts";
import { serverClock } from "../../lib/server/http/request/server_clock.ts";

/** A trailing slash matches as well, which the file's name alone does not. */
export const config: RouteConfig = { routeOverride: "/photos/*?" };

/** The photos of all folders; or one of them, with its neighbours in that order. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx);
    if (admitted instanceof Response) return admitted;
    const { pathname } = ctx.url;
    const isList = pathname.replace(/\/$/, "") === `${ctx.config.basePath}/photos`;
    const { files, memories } = isList
      ? await photosData(ctx)
      : { files: await filesData(ctx, "photos"), memories: [] };
    const content = { memories, page: await openSidebarPage(ctx, { files }) };
    return page({ ...content, clock: serverClock(ctx.req) }, {
      status: files.failure?.status ?? 200,
      headers: { "cache-control": "no-store" },
    });
  },
});

/** The page of the photos of all folders. */
export default define.page<typeof handler>(function PhotosPage({ data }) {
  const { page, memories, clock } = data;
  const { t } = page.i18n;
  return (
    <SidebarPage page={page} title={t("places.photos")} skip={t("places.skip")} sheet="photos">
      <PhotosArea memories={memories} clock={clock} />
    </SidebarPage>
  );
});
