import { page } from "fresh";
import { SettingsPage } from "../../(_pages)/SettingsPage.tsx";
import { define } from "../../../lib/server/define.ts";
import { guard, settingsContent } from "../../../lib/server/pages/settings_page.ts";
import { keepsPasswords } from "../../../lib/server/config/config.ts";
import { toInviteInfo } from "../../../lib/server/auth/invites/invites.ts";
import { toUserInfo } from "../../../lib/server/users/user.ts";

/** The users, for administrators. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx, "admin");
    if (admitted instanceof Response) return admitted;
    const { cubby } = ctx.state;
    const users = (await cubby.users.list()).map(toUserInfo);
    const invites = keepsPasswords(cubby.config)
      ? (await cubby.invites.list()).map(toInviteInfo)
      : null;
    const content = await settingsContent(ctx, { tab: "users", users, invites });
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** The table of users. */
export default define.page<typeof handler>(function UsersPage({ data }) {
  return <SettingsPage {...data} title={data.page.i18n.t("settings.tabs.users")} />;
});
