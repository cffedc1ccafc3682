import type { State } from "../../../lib/server/define.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { adminOf } from "../../../lib/server/http/middleware/sign_in.ts";

/** The users with a quota, and how much each has in use, for administrators. */
export const handler = methods<State>({
  async GET(ctx) {
    adminOf(ctx, "look at the quotas");
    return jsonAnswer(await ctx.state.cubby.quotas.list());
  },
});
