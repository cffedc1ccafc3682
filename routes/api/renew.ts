import { DomainError } from "../../lib/shared/errors.ts";
import { calls } from "../../lib/server/http/calls.ts";
import { byCookieWord, readSessionCookie } from "../../lib/server/http/request/auth/cookies.ts";
import { tokenAnswer } from "../../lib/server/http/response/session_answers.ts";
import { newToken } from "../../lib/server/http/openapi/parts/accounts.ts";

/**
 * Exchanges a token for a new one of the same session: the token in `X-Auth`, or the cookie's if
 * `X-Auth: cookie` says so.
 */
export const handler = calls({
  POST: {
    id: "renew",
    tag: "Sessions",
    summary: "Get the next token of your session",
    description:
      "Renews the session for its whole lifetime. The token in `X-Auth` and those before it " +
      "stay valid until each expires or the session ends, and can be renewed as well, so tabs " +
      "and scripts with a token each stay signed in.\n\n" +
      "With `X-Auth: cookie` the token of the cookie is renewed, which all tabs of a browser " +
      "share. Former tokens of the session then stay valid for 30 seconds more, because two " +
      "tabs may renew at the same time. Using one after that ends the whole session: it may " +
      "have been stolen. The cookie without that header renews nothing.",
    who: "enrolling",
    answers: { 200: newToken },
    examples: `
$ TOKEN=$(curl -s -X POST $CUBBY/api/renew -H "X-Auth: $TOKEN")
`,
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
