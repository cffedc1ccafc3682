import { page } from "fresh";
import { SettingsPage } from "../(_pages)/SettingsPage.tsx";
import { define } from "../../lib/server/define.ts";
import { requestInfos } from "../../lib/server/http/request/file_requests.ts";
import { shareInfos } from "../../lib/server/http/request/share_lists.ts";
import { guard, settingsContent } from "../../lib/server/pages/settings_page.ts";

/** The shares, and the requests for files, that the user may end. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx, "share");
    if (admitted instanceof Response) return admitted;
    const { user } = admitted;
    const { requests, shares, users } = ctx.state.cubby;
    const isAdmin = user.perm.admin;
    const listed = isAdmin ? await shares.list() : await shares.listOf(user.id);
    const seen = await shareInfos(ctx, listed, user);
    const owners = isAdmin ? await users.list() : [];
    const names = new Map(owners.map(({ id, username }) => [id, username]));
    const named = <T extends { userID: number }>(item: T) => ({
      ...item,
      username: names.get(item.userID),
    });
    const asked = await requestInfos(ctx, await requests.list(isAdmin ? undefined : user.id), user);
    const content = await settingsContent(ctx, {
      ...{ tab: "shares", shares: seen.map(named), requests: asked.map(named) },
    });
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** The tables of shares and of requests. */
export default define.page<typeof handler>(function SharesPage({ data }) {
  return <SettingsPage {...data} title={data.page.i18n.t("settings.tabs.shares")} />;
});
