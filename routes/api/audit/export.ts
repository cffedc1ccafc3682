import type { State } from "../../../lib/server/define.ts";
import { exportAudit } from "../../../lib/server/audit/export_audit.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { adminOf } from "../../../lib/server/http/middleware/sign_in.ts";
import {
  auditFilter,
  formatOption,
  zoneOption,
} from "../../../lib/server/http/request/audit_requests.ts";
import { linesAnswer } from "../../../lib/server/http/response/lines_answer.ts";

const types = { csv: "text/csv; charset=utf-8", json: "application/jsonl; charset=utf-8" };

/** The activity log as a file, for administrators: sent while it is read. */
export const handler = methods<State>({
  async GET(ctx) {
    adminOf(ctx, "export the activity log");
    const { audit, store } = ctx.state.cubby;
    const query = ctx.url.searchParams;
    const format = formatOption(query.get("format") ?? "csv");
    const filter = auditFilter(query);
    const zone = zoneOption(query);
    await audit.flush();
    const name = `activity-${Temporal.Now.plainDateISO(zone)}`;
    return linesAnswer(exportAudit(store, format, filter, zone), {
      type: types[format],
      name: `${name}.${format === "csv" ? "csv" : "jsonl"}`,
    });
  },
});
