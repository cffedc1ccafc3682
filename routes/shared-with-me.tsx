import { page } from "fresh";
import { SidebarPage } from "./(_pages)/SidebarPage.tsx";
import { PlacesArea } from "../islands/PlacesArea.tsx";
import { define } from "../lib/server/http/define.ts";
import { sharedWithMe } from "../lib/server/http/request/share_requests.ts";
import { guard, openSidebarPage } from "../lib/server/http/pages/open_page.ts";
import { serverClock } from "../lib/server/http/request/server_clock.ts";

/** The shares for the user. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx);
    if (admitted instanceof Response) return admitted;
    const items = await sharedWithMe(ctx);
    const content = { items, page: await openSidebarPage(ctx), clock: serverClock(ctx.req) };
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** The shares that are for the user, each to be opened. */
export default define.page<typeof handler>(function SharedWithMePage({ data }) {
  const { page, items, clock } = data;
  const { t } = page.i18n;
  return (
    <SidebarPage page={page} title={t("places.sharedWithMe")} skip={t("places.skip")}>
      <PlacesArea place={{ at: "sharedWithMe", items }} clock={clock} />
    </SidebarPage>
  );
});
