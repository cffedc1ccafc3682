import type { State } from "../../../../lib/server/define.ts";
import { methods } from "../../../../lib/server/http/middleware/methods.ts";
import {
  factorOwner,
  noteFactors,
  requireFactors,
} from "../../../../lib/server/http/request/factor_requests.ts";
import { readJsonObject } from "../../../../lib/server/http/request/json_body.ts";
import { clientOf, tokenAnswer } from "../../../../lib/server/http/response/session_answers.ts";

/** Removing a passkey of the user's own. */
export const handler = methods<State>({
  async DELETE(ctx) {
    const signedIn = factorOwner(ctx);
    const { factors, sessions } = ctx.state.cubby;
    await requireFactors(ctx, await readJsonObject(ctx.req));
    const changed = await factors.removePasskey(signedIn.user.id, ctx.params.id ?? "");
    noteFactors(ctx, signedIn);
    return tokenAnswer(ctx, (await sessions.open(changed, clientOf(ctx))).token);
  },
});
