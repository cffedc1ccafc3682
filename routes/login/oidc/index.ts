import { define } from "../../../lib/server/http/define.ts";
import { signInCookie } from "../../../lib/server/http/request/auth/cookies.ts";
import {
  callbackAddress,
  loginRefusalOf,
  oidcOf,
} from "../../../lib/server/http/request/auth/oidc_requests.ts";
import { cookieScope } from "../../../lib/server/http/response/session_answers.ts";
import { afterSignIn, backToLogin, redirect } from "../../../lib/server/http/pages/redirects.ts";

/** Sends the visitor to the provider to sign in; `again` has it ask for a proof in any case. */
export const handler = define.handlers({
  async GET(ctx) {
    const oidc = oidcOf(ctx);
    const next = afterSignIn(ctx);
    try {
      const { url, state, secret } = await oidc.begin({
        redirectUri: callbackAddress(ctx),
        next,
        again: ctx.url.searchParams.has("again"),
        address: ctx.state.address,
      });
      const answer = redirect(url);
      answer.headers.append("set-cookie", signInCookie(state, secret, cookieScope(ctx)));
      return answer;
    } catch (error) {
      const refused = loginRefusalOf(error);
      if (refused === undefined) throw error;
      ctx.state.cubby.log.line((error as Error).message, "error");
      return backToLogin(ctx, { redirect: next, refused });
    }
  },
});
