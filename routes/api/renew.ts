import { DomainError } from "../../lib/shared/errors.ts";
import { calls } from "../../lib/server/http/calls.ts";
import { byCookieWord, readSessionCookie } from "../../lib/server/http/request/auth/cookies.ts";
import { tokenAnswer } from "../../lib/server/http/response/session_answers.ts";
import { newToken } from "../../lib/server/openapi/parts/sessions.ts";

/**
 * Exchanges a token for a new one of the same session: the token in `X-Auth`, or the cookie's if
 * `X-Auth: cookie` says so.
 */
export const handler = calls({
  POST: {
    id: "renew",
    tag: "Sessions",
    summary: "Exchange a token for the next one of its session",
    description:
      "The token of `X-Auth` and those before it go on until each expires or the session ends, " +
      "and may be renewed as well: tabs and scripts that hold a token each stay signed in. With " +
      "`X-Auth: cookie` the token of the cookie is renewed, which all tabs share. Former tokens " +
      "then live for 30 seconds more, since two tabs may renew at once. Who uses one after that " +
      "ends the whole session: it may have been stolen.",
    who: "enrolling",
    answers: { 200: newToken },
    async handle(ctx) {
      const { headers } = ctx.req;
      const header = headers.get("x-auth");
      const by = header === byCookieWord ? "cookie" : "header";
      const token = by === "cookie" ? readSessionCookie(headers) : header;
      if (!token) {
        throw new DomainError("not_signed_in", "Cannot renew the session: no token given");
      }
      const renewed = await ctx.state.cubby.sessions.renew(token, by);
      return tokenAnswer(ctx, renewed.token);
    },
  },
});
