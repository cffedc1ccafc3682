import { searchAudit } from "../../../lib/server/features/audit/search_audit.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { readAuditQuery } from "../../../lib/server/http/request/audit_requests.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { json, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { filter } from "../../../lib/server/http/openapi/parts/administration.ts";

/** The activity log, for administrators. */
export const handler = calls({
  GET: {
    id: "listActivity",
    tag: "Server",
    summary: "List who did what, the latest first",
    description:
      "Each record has the SHA-256 of the one before as `former`; members that do not apply " +
      "are null. Paths are from the root of the server. A page ends after 512 Ki characters. " +
      "A search for rare records stops after a while: `reached` is how far back it got, and " +
      "`next` continues it.\n\n" +
      "The setting `audit.level` decides what is recorded: `off`, `changes` or `reads`. While " +
      "it is `off`, earlier records are still listed.",
    who: "admin",
    parameters: [
      ...filter,
      {
        name: "before",
        in: "query",
        description: "`next` of the previous page.",
        schema: { type: "integer", minimum: 0 },
      },
      {
        name: "limit",
        in: "query",
        description: "How many to list at most; 100 by default, 500 at most.",
        schema: { type: "integer", minimum: 0 },
      },
    ],
    answers: { 200: json("A page of the log.", schemaNamed("Audit")) },
    refusals: ["invalid_option"],
    examples: `
$ curl -s "$CUBBY/api/audit?action=upload" -H "X-Auth: $TOKEN" | jq -r .next
null
`,
    async handle(ctx) {
      const { audit, store } = ctx.state.cubby;
      await audit.flush();
      return jsonAnswer(await searchAudit(store, readAuditQuery(ctx.url.searchParams)));
    },
  },
});
