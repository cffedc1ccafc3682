import { page } from "fresh";
import { SettingsPage } from "../../(_pages)/SettingsPage.tsx";
import { define } from "../../../lib/server/http/define.ts";
import { guard, settingsContent } from "../../../lib/server/http/pages/open_page.ts";
import { keepsPasswords } from "../../../lib/server/core/config/config.ts";
import { inviteList, userList } from "../../../lib/server/http/request/lists/account_lists.ts";
import { listPage } from "../../../lib/server/http/request/lists/list.ts";
import { FIRST_ITEMS } from "../../../lib/shared/list_page.ts";

/** The users, for administrators. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx, "admin");
    if (admitted instanceof Response) return admitted;
    const { cubby } = ctx.state;
    const limit = FIRST_ITEMS;
    const users = await listPage(ctx, userList(cubby.users), { limit });
    const invites = keepsPasswords(cubby.config)
      ? await listPage(ctx, await inviteList(cubby.invites), { limit, name: "invites-" })
      : null;
    const content = await settingsContent(ctx, { tab: "users", users, invites });
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** The table of users. */
export default define.page<typeof handler>(function UsersPage({ data }) {
  return <SettingsPage {...data} title={data.page.i18n.t("settings.tabs.users")} />;
});
