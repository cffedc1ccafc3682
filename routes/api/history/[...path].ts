import type { RouteConfig } from "fresh";
import type { State } from "../../../lib/server/define.ts";
import { DomainError } from "../../../lib/shared/errors.ts";
import { historyOf } from "../../../lib/server/audit/history.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/history{/*}?" };

/** The history of one entry, for those who may see it. */
export const handler = methods<State>({
  async GET(ctx) {
    const { path } = requestPath(ctx, "history");
    const access = accessFor(ctx);
    access.stat(path);
    if (signedInOf(ctx).settings.audit.level === "off") {
      throw new DomainError("not_supported", `Cannot tell of "${path}": the activity log is off`);
    }
    const { audit, store } = ctx.state.cubby;
    await audit.flush();
    return jsonAnswer(await historyOf(store, access, path));
  },
});
