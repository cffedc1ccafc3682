import { page } from "fresh";
import { SettingsPage } from "../(_pages)/SettingsPage.tsx";
import { searchAudit } from "../../lib/server/features/audit/search_audit.ts";
import { define } from "../../lib/server/http/define.ts";
import {
  activityFilter,
  auditQuery,
  readAuditQuery,
} from "../../lib/server/http/request/audit_requests.ts";
import { serverClock } from "../../lib/server/http/request/server_clock.ts";
import { guard, settingsContent } from "../../lib/server/http/pages/open_page.ts";

/** The activity log, for administrators. */
export const handler = define.handlers({
  async GET(ctx) {
    const admitted = guard(ctx, "admin");
    if (admitted instanceof Response) return admitted;
    const { audit, store } = ctx.state.cubby;
    const filter = activityFilter(ctx.url.searchParams);
    const { timeZone: zone } = serverClock(ctx.req);
    const query = auditQuery(filter, zone);
    await audit.flush();
    const first = await searchAudit(store, readAuditQuery(query));
    const { level } = admitted.settings.audit;
    const isFiltered = Object.values(filter).some((value) => value !== "");
    const filters = { level, filter, isFiltered, query: `${query}`, zone, first };
    const shown = { tab: "activity" as const, ...filters };
    const content = await settingsContent(ctx, shown);
    return page(content, { headers: { "cache-control": "no-store" } });
  },
});

/** The table of activities. */
export default define.page<typeof handler>(function ActivityPage({ data }) {
  return <SettingsPage {...data} title={data.page.i18n.t("settings.tabs.activity")} />;
});
