import { page } from "fresh";
import { SettingsPage } from "../(_pages)/SettingsPage.tsx";
import { define } from "../../lib/server/http/define.ts";
import { requestList } from "../../lib/server/http/request/file_requests.ts";
import { listPage } from "../../lib/server/http/request/lists/list.ts";
import { shareList } from "../../lib/server/http/request/lists/share_lists.ts";
import { FIRST_ITEMS } from "../../lib/shared/list_page.ts";
import { guard, settingsContent } from "../../lib/server/http/pages/open_page.ts";

/** The shares, and the requests for files, that the user may end. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx, "share");
    if (admitted instanceof Response) return admitted;
    const { user } = admitted;
    const limit = FIRST_ITEMS;
    const content = await settingsContent(ctx, {
      tab: "shares",
      shares: await listPage(ctx, shareList(ctx, user), { limit }),
      requests: await listPage(ctx, requestList(ctx, user), { limit, name: "requests-" }),
    });
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** The tables of shares and of requests. */
export default define.page<typeof handler>(function SharesPage({ data }) {
  return <SettingsPage {...data} title={data.page.i18n.t("settings.tabs.shares")} />;
});
