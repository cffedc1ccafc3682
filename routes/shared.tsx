import { page } from "fresh";
import { SidebarPage } from "./(_pages)/SidebarPage.tsx";
import { PlacesArea } from "../islands/PlacesArea.tsx";
import { define } from "../lib/server/http/define.ts";
import { requestList } from "../lib/server/http/request/file_requests.ts";
import { listPage } from "../lib/server/http/request/lists/list.ts";
import { ownShareList } from "../lib/server/http/request/lists/share_lists.ts";
import { FIRST_ITEMS } from "../lib/shared/list_page.ts";
import { guard, openSidebarPage } from "../lib/server/http/pages/open_page.ts";
import { serverClock } from "../lib/server/http/request/server_clock.ts";

/** The page of the user's own shares. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx, "share");
    if (admitted instanceof Response) return admitted;
    const limit = FIRST_ITEMS;
    const shares = await listPage(ctx, ownShareList(ctx), { limit });
    const mine = requestList(ctx, admitted.user, { own: true });
    const requests = await listPage(ctx, mine, { limit, name: "requests-" });
    const content = {
      shares,
      requests,
      page: await openSidebarPage(ctx),
      clock: serverClock(ctx.req),
    };
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** The links that the user has made, to be copied and ended. */
export default define.page<typeof handler>(function SharedPage({ data }) {
  const { page, shares, requests, clock } = data;
  const { t } = page.i18n;
  return (
    <SidebarPage page={page} title={t("places.shared")} skip={t("places.skip")}>
      <PlacesArea place={{ at: "shared", shares, requests }} clock={clock} />
    </SidebarPage>
  );
});
