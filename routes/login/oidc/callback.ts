import { define } from "../../../lib/server/http/define.ts";
import {
  idTokenCookie,
  readSignInCookie,
  sessionCookie,
  signInCookie,
} from "../../../lib/server/http/request/auth/cookies.ts";
import { loginRefusalOf, oidcOf } from "../../../lib/server/http/request/auth/oidc_requests.ts";
import { clientOf, cookieScope } from "../../../lib/server/http/response/session_answers.ts";
import { backToLogin } from "../../../lib/server/http/pages/redirects.ts";

/**
 * Where the provider sends the visitor back to. The session's token is in the cookie then; the
 * sign-in page, which is next, has the browser fetch it for its calls as well.
 */
export const handler = define.handlers({
  async GET(ctx) {
    const oidc = oidcOf(ctx);
    const state = ctx.url.searchParams.get("state") ?? "";
    const secret = readSignInCookie(ctx.req.headers, state);
    const scope = cookieScope(ctx);
    try {
      const { search: query } = ctx.url;
      const entered = await oidc.finish({ query, state, secret, client: clientOf(ctx) });
      if (!entered) return forgetting(backToLogin(ctx, { refused: "cancelled" }));
      const { tokenLifeMs, oidc: provider } = ctx.state.cubby.config;
      const answer = backToLogin(ctx, { redirect: entered.next, entered: "1" });
      const seconds = tokenLifeMs / 1000;
      answer.headers.append("set-cookie", sessionCookie(entered.token, seconds, scope));
      const hint = provider?.logout ? idTokenCookie(entered.idToken, seconds, scope) : undefined;
      if (hint !== undefined) answer.headers.append("set-cookie", hint);
      return forgetting(answer);
    } catch (error) {
      const refused = loginRefusalOf(error);
      if (refused === undefined) throw error;
      if (refused !== "refused") ctx.state.cubby.log.line((error as Error).message);
      const back = backToLogin(ctx, { refused });
      // The sign-in of that cookie, if there is one, may still be finished.
      return refused === "expired" || refused === "throttled" ? back : forgetting(back);
    }

    function forgetting(answer: Response): Response {
      if (secret !== "") answer.headers.append("set-cookie", signInCookie(state, "", scope));
      return answer;
    }
  },
});
