import type { State } from "../../../lib/server/define.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import {
  factorOwner,
  noteFactors,
  requireFactors,
} from "../../../lib/server/http/request/auth/factor_requests.ts";
import { readJsonObject } from "../../../lib/server/http/request/json_body.ts";
import { recoveryCodesAnswer } from "../../../lib/server/http/response/session_answers.ts";

/** Makes the user's recovery codes anew. */
export const handler = methods<State>({
  async POST(ctx) {
    const signedIn = factorOwner(ctx);
    await requireFactors(ctx, await readJsonObject(ctx));
    const codes = await ctx.state.cubby.factors.renewRecovery(signedIn.user.id);
    noteFactors(ctx, "recovery_renew", signedIn);
    return recoveryCodesAnswer(ctx, codes);
  },
});
