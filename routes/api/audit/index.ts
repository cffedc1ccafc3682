import { searchAudit } from "../../../lib/server/audit/search_audit.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { readAuditQuery } from "../../../lib/server/http/request/audit_requests.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { json } from "../../../lib/server/openapi/answers.ts";
import { filter } from "../../../lib/server/openapi/parts/audit.ts";
import { schemaNamed } from "../../../lib/server/openapi/references.ts";

/** The activity log, for administrators. */
export const handler = calls({
  GET: {
    id: "listActivity",
    tag: "Server",
    summary: "List who did what, the latest first",
    description: "For administrators. Nothing is taken down while the setting `audit.level` is " +
      "`off`; what was taken down before is listed all the same.",
    who: "admin",
    parameters: [
      ...filter,
      {
        name: "before",
        in: "query",
        description: "`next` of the page before.",
        schema: { type: "integer", minimum: 0 },
      },
      {
        name: "limit",
        in: "query",
        description: "How many to list at most; 100 unless given, and no more than 500.",
        schema: { type: "integer", minimum: 0 },
      },
    ],
    answers: { 200: json("A page of the log.", schemaNamed("Audit")) },
    refusals: ["invalid_option"],
    async handle(ctx) {
      const { audit, store } = ctx.state.cubby;
      await audit.flush();
      return jsonAnswer(await searchAudit(store, readAuditQuery(ctx.url.searchParams)));
    },
  },
});
