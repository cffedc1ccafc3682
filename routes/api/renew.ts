import type { State } from "../../lib/server/define.ts";
import { DomainError } from "../../lib/shared/errors.ts";
import { byCookieWord, readSessionCookie } from "../../lib/server/http/request/auth/cookies.ts";
import { methods } from "../../lib/server/http/middleware/methods.ts";
import { tokenAnswer } from "../../lib/server/http/response/session_answers.ts";

/**
 * Exchanges a token for a new one of the same session: the token in `X-Auth`, or the cookie's if
 * `X-Auth: cookie` says so.
 */
export const handler = methods<State>({
  async POST(ctx) {
    const { headers } = ctx.req;
    const header = headers.get("x-auth");
    const by = header === byCookieWord ? "cookie" : "header";
    const token = by === "cookie" ? readSessionCookie(headers) : header;
    if (!token) throw new DomainError("not_signed_in", "Cannot renew the session: no token given");
    const renewed = await ctx.state.cubby.sessions.renew(token, by);
    return tokenAnswer(ctx, renewed.token);
  },
});
