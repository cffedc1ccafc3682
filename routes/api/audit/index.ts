import type { State } from "../../../lib/server/define.ts";
import { searchAudit } from "../../../lib/server/audit/search_audit.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { adminOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { readAuditQuery } from "../../../lib/server/http/request/audit_requests.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";

/** The activity log, for administrators. */
export const handler = methods<State>({
  async GET(ctx) {
    adminOf(ctx, "read the activity log");
    const { audit, store } = ctx.state.cubby;
    await audit.flush();
    return jsonAnswer(await searchAudit(store, readAuditQuery(ctx.url.searchParams)));
  },
});
