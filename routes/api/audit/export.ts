import { exportAudit } from "../../../lib/server/features/audit/export_audit.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import {
  auditFilter,
  formatOption,
  zoneOption,
} from "../../../lib/server/http/request/audit_requests.ts";
import { linesAnswer } from "../../../lib/server/http/response/downloads.ts";
import { bytes, headerNamed } from "../../../lib/server/http/openapi/answers.ts";
import { filter } from "../../../lib/server/http/openapi/parts/administration.ts";

const types = { csv: "text/csv; charset=utf-8", json: "application/jsonl; charset=utf-8" };

/** The activity log as a file, for administrators: sent while it is read. */
export const handler = calls({
  GET: {
    id: "exportActivity",
    tag: "Server",
    summary: "Send the log as a file, the oldest first",
    description:
      "CSV with a header, in which no cell is a formula, or JSON with one object a line. " +
      "Times are in UTC; those of CSV are in `zone` if it is given, with its offset " +
      "(`2026-01-31T13:00:00.000+01:00`).",
    who: "admin",
    parameters: [
      ...filter,
      {
        name: "format",
        in: "query",
        description: "`csv` by default.",
        schema: { type: "string", enum: ["csv", "json"], default: "csv" },
      },
    ],
    answers: {
      200: bytes("The log.", ["text/csv", "application/jsonl"], {
        "Content-Disposition": headerNamed("Disposition"),
      }),
    },
    refusals: ["invalid_option"],
    examples: `
$ curl -s "$CUBBY/api/audit/export?user=nobody" -H "X-Auth: $TOKEN"
seq,time,action,user,userId,address,path,to,subject,former
`,
    async handle(ctx) {
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
  },
});
