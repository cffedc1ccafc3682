import { page } from "fresh";
import { SettingsPage } from "../../(_pages)/SettingsPage.tsx";
import { define } from "../../../lib/server/http/define.ts";
import { guard, settingsContent } from "../../../lib/server/http/pages/open_page.ts";
import { groupRows } from "../../../lib/server/http/request/user_requests.ts";
import { listPage } from "../../../lib/server/http/request/lists/list.ts";
import { FIRST_ITEMS } from "../../../lib/shared/list_page.ts";

/** The groups, for administrators. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx, "admin");
    if (admitted instanceof Response) return admitted;
    const { users } = ctx.state.cubby;
    const groups = await listPage(ctx, groupRows(users), { limit: FIRST_ITEMS });
    const content = await settingsContent(ctx, { tab: "groups", groups });
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** The table of groups. */
export default define.page<typeof handler>(function GroupsPage({ data }) {
  return <SettingsPage {...data} title={data.page.i18n.t("settings.tabs.groups")} />;
});
