import { page } from "fresh";
import { SettingsPage } from "../(_pages)/SettingsPage.tsx";
import { define } from "../../lib/server/http/define.ts";
import { guard, settingsContent } from "../../lib/server/http/pages/open_page.ts";
import { toWebhookInfo } from "../../lib/server/features/webhooks/webhook.ts";

/** The webhooks, for administrators. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx, "admin");
    if (admitted instanceof Response) return admitted;
    const { webhooks } = ctx.state.cubby;
    const all = await webhooks?.list() ?? null;
    const shown = all?.map(({ hook, state }) => toWebhookInfo(hook, state)) ?? null;
    const content = await settingsContent(ctx, { tab: "webhooks", webhooks: shown });
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** The page of the webhooks and their deliveries. */
export default define.page<typeof handler>(function WebhooksPage({ data }) {
  return <SettingsPage {...data} title={data.page.i18n.t("settings.tabs.webhooks")} />;
});
