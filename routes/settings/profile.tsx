import { page } from "fresh";
import { SettingsPage } from "../(_pages)/SettingsPage.tsx";
import { define } from "../../lib/server/define.ts";
import { guard, settingsContent } from "../../lib/server/pages/settings_page.ts";
import { toSessionInfo } from "../../lib/server/auth/session.ts";

/** The settings that users change for themselves. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx);
    if (admitted instanceof Response) return admitted;
    const { user, session } = admitted;
    const records = await ctx.state.cubby.sessions.list(user.id);
    const sessions = records.map((record) => toSessionInfo(record, session.sid));
    const content = await settingsContent(ctx, { tab: "profile", sessions });
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** Preferences, password, sessions. */
export default define.page<typeof handler>(function ProfilePage({ data }) {
  return <SettingsPage {...data} title={data.page.i18n.t("settings.tabs.profile")} />;
});
