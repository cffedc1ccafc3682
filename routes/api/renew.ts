import type { State } from "../../lib/server/define.ts";
import { DomainError } from "../../lib/shared/errors.ts";
import { methods } from "../../lib/server/http/middleware/methods.ts";
import { tokenAnswer } from "../../lib/server/http/response/session_answers.ts";

/** Exchanges a token for a new one of the same session. */
export const handler = methods<State>({
  async POST(ctx) {
    const token = ctx.req.headers.get("x-auth");
    if (!token) throw new DomainError("not_signed_in", "Cannot renew the session: no token given");
    const renewed = await ctx.state.cubby.sessions.renew(token);
    return tokenAnswer(ctx, renewed.token);
  },
});
