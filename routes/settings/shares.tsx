import { page } from "fresh";
import { SettingsPage } from "../(_pages)/SettingsPage.tsx";
import { define } from "../../lib/server/define.ts";
import { shareInfos } from "../../lib/server/http/request/share_requests.ts";
import { guard, settingsContent } from "../../lib/server/pages/settings_page.ts";

/** The shares that the user may end. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx, "share");
    if (admitted instanceof Response) return admitted;
    const { user } = admitted;
    const { shares, users } = ctx.state.cubby;
    const isAdmin = user.perm.admin;
    const listed = isAdmin ? await shares.list() : await shares.listOf(user.id);
    const seen = await shareInfos(ctx, listed, user);
    const owners = isAdmin ? await users.list() : [];
    const names = new Map(owners.map(({ id, username }) => [id, username]));
    const named = seen.map((share) => ({ ...share, username: names.get(share.userID) }));
    const content = await settingsContent(ctx, { tab: "shares", shares: named });
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** The table of shares. */
export default define.page<typeof handler>(function SharesPage({ data }) {
  return <SettingsPage {...data} title={data.page.i18n.t("settings.tabs.shares")} />;
});
