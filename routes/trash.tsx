import { page } from "fresh";
import { SidebarPage } from "./(_pages)/SidebarPage.tsx";
import { PlacesArea } from "../islands/PlacesArea.tsx";
import { define } from "../lib/server/http/define.ts";
import { trashPage } from "../lib/server/http/request/trash_requests.ts";
import { guard, openSidebarPage } from "../lib/server/http/pages/open_page.ts";
import { serverClock } from "../lib/server/http/request/server_clock.ts";
import { FIRST_TRASHED } from "../lib/shared/list_page.ts";

/** The user's own trash. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx);
    if (admitted instanceof Response) return admitted;
    const first = await trashPage(ctx, FIRST_TRASHED);
    const query = ctx.url.searchParams.get("query") ?? "";
    const content = { first, query, page: await openSidebarPage(ctx), clock: serverClock(ctx.req) };
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** The page of the trash. */
export default define.page<typeof handler>(function TrashedPage({ data }) {
  const { page, first, query, clock } = data;
  const { t } = page.i18n;
  return (
    <SidebarPage page={page} title={t("trash.title")} skip={t("trash.skip")}>
      <PlacesArea place={{ at: "trash", first, query }} clock={clock} />
    </SidebarPage>
  );
});
