import type { State } from "../../../lib/server/define.ts";
import { toFactors } from "../../../lib/server/auth/factors/factors_record.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { factorOwner } from "../../../lib/server/http/request/auth/factor_requests.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";

/** The user's own second factors. */
export const handler = methods<State>({
  async GET(ctx) {
    const { user } = factorOwner(ctx);
    return jsonAnswer(toFactors(await ctx.state.cubby.factors.of(user)));
  },
});
