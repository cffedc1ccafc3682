import type { State } from "../../lib/server/define.ts";
import { accessFor } from "../../lib/server/http/request/access_for.ts";
import { requestList } from "../../lib/server/http/request/file_requests.ts";
import { listAnswer } from "../../lib/server/http/request/lists/list.ts";
import { flagOption } from "../../lib/server/http/request/query.ts";
import { methods } from "../../lib/server/http/middleware/methods.ts";
import { signedInOf } from "../../lib/server/http/middleware/sign_in.ts";

/** The user's own requests for files; for administrators all. */
export const handler = methods<State>({
  async GET(ctx) {
    const { user } = signedInOf(ctx);
    accessFor(ctx).need("Cannot list requests", "share");
    return await listAnswer(
      ctx,
      requestList(ctx, user, { own: flagOption(ctx.url.searchParams, "own") }),
    );
  },
});
