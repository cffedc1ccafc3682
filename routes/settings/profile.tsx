import { page } from "fresh";
import { SettingsPage } from "../(_pages)/SettingsPage.tsx";
import { define } from "../../lib/server/http/define.ts";
import { davAddress } from "../../lib/server/http/dav/dav_address.ts";
import { guard, settingsContent } from "../../lib/server/http/pages/open_page.ts";
import { toApiTokenInfo } from "../../lib/server/features/accounts/auth/api_token.ts";
import { toFactors } from "../../lib/server/features/accounts/auth/factors/factors_record.ts";
import { listPage } from "../../lib/server/http/request/lists/list.ts";
import { sessionList } from "../../lib/server/http/request/lists/account_lists.ts";
import { FIRST_ITEMS } from "../../lib/shared/list_page.ts";

/** The settings that users change for themselves. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx);
    if (admitted instanceof Response) return admitted;
    const { user, session } = admitted;
    const records = await ctx.state.cubby.sessions.list(user.id);
    const own = [
      ...records.filter(({ sid }) => sid === session.sid),
      ...records.filter(({ sid }) => sid !== session.sid),
    ];
    const sessions = await listPage(ctx, sessionList(own, session.sid), { limit: FIRST_ITEMS });
    const tokens = (await ctx.state.cubby.apiTokens.list(user.id))
      .map((token) => toApiTokenInfo(token, user));
    const factors = toFactors(await ctx.state.cubby.factors.of(user));
    const drive = davAddress(ctx);
    const content = await settingsContent(ctx, {
      tab: "profile",
      muted: user.mutedNotifications,
      mail: user.mail,
      isMailed: user.mailNotifications,
      sessions,
      factors,
      tokens,
      drive,
    });
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** Preferences, password, second factors, sessions, API tokens. */
export default define.page<typeof handler>(function ProfilePage({ data }) {
  return <SettingsPage {...data} title={data.page.i18n.t("settings.tabs.profile")} />;
});
