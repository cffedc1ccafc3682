import { page } from "fresh";
import { SettingsPage } from "../(_pages)/SettingsPage.tsx";
import { define } from "../../lib/server/http/define.ts";
import { guard, placedAs, settingsContent } from "../../lib/server/http/pages/open_page.ts";

/** The global settings, for administrators. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx, "admin");
    if (admitted instanceof Response) return admitted;
    const { settings } = admitted;
    const own = placedAs(admitted);
    const content = await settingsContent(ctx, { tab: "global", settings, own });
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** General settings, user defaults, command runner. */
export default define.page<typeof handler>(function GlobalPage({ data }) {
  return <SettingsPage {...data} title={data.page.i18n.t("settings.tabs.global")} />;
});
