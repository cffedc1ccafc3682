import { page } from "fresh";
import { SettingsPage } from "../(_pages)/SettingsPage.tsx";
import { define } from "../../lib/server/http/define.ts";
import { guard, settingsContent } from "../../lib/server/http/pages/open_page.ts";
import { checkServerFor } from "../../lib/server/http/request/server_checks.ts";

/** How the server is set up, for administrators. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx, "admin");
    if (admitted instanceof Response) return admitted;
    const check = await checkServerFor(ctx);
    const { webdav } = ctx.state.cubby.config;
    const content = await settingsContent(ctx, { tab: "check", check, hasWebdav: webdav });
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** The checks, and the features that are off. */
export default define.page<typeof handler>(function CheckPage({ data }) {
  return <SettingsPage {...data} title={data.page.i18n.t("check.title")} />;
});
