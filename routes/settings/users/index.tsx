import { page } from "fresh";
import { SettingsPage } from "../../../lib/client/settings/SettingsPage.tsx";
import { define } from "../../../lib/server/define.ts";
import { guard, settingsContent } from "../../../lib/server/pages/settings_page.ts";
import { toUserInfo } from "../../../lib/server/users/user.ts";

/** The users, for administrators. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx, "admin");
    if (admitted instanceof Response) return admitted;
    const users = (await ctx.state.cubby.users.list()).map(toUserInfo);
    const content = await settingsContent(ctx, { tab: "users", users });
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** The table of users. */
export default define.page<typeof handler>(function UsersPage({ data }) {
  return <SettingsPage {...data} title={data.page.i18n.t("settings.tabs.users")} />;
});
