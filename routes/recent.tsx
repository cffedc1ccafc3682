import { page } from "fresh";
import { SidebarPage } from "./(_pages)/SidebarPage.tsx";
import { PlacesArea } from "../islands/PlacesArea.tsx";
import { define } from "../lib/server/http/define.ts";
import { recentOf } from "../lib/server/http/request/place_requests.ts";
import { guard, openSidebarPage } from "../lib/server/http/pages/open_page.ts";
import { serverClock } from "../lib/server/http/request/server_clock.ts";

/** The files that the user has used last. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx);
    if (admitted instanceof Response) return admitted;
    const items = await recentOf(ctx);
    const content = { items, page: await openSidebarPage(ctx), clock: serverClock(ctx.req) };
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** The page of files that were opened, uploaded or changed last. */
export default define.page<typeof handler>(function RecentPage({ data }) {
  const { page, items, clock } = data;
  const { t } = page.i18n;
  return (
    <SidebarPage page={page} title={t("places.recent")} skip={t("places.skip")}>
      <PlacesArea place={{ at: "recent", items }} clock={clock} />
    </SidebarPage>
  );
});
