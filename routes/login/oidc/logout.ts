import { define } from "../../../lib/server/http/define.ts";
import { DomainError } from "../../../lib/shared/errors.ts";
import { idTokenCookie, readIdTokenCookie } from "../../../lib/server/http/request/auth/cookies.ts";
import { publicAddress } from "../../../lib/server/http/middleware/client_address.ts";
import { oidcOf } from "../../../lib/server/http/request/auth/oidc_requests.ts";
import { cookieScope } from "../../../lib/server/http/response/session_answers.ts";
import { backToLogin, redirect } from "../../../lib/server/http/pages/redirects.ts";

/**
 * Ends the session at the provider, once the one here has ended (RP-initiated logout). Another site
 * that sends a visitor here ends nothing.
 */
export const handler = define.handlers({
  async GET(ctx) {
    const oidc = oidcOf(ctx);
    const site = ctx.req.headers.get("sec-fetch-site") ?? "same-origin";
    const idToken = readIdTokenCookie(ctx.req.headers);
    const isOwn = site === "same-origin" || site === "none";
    const address = isOwn ? await addressOf() : null;
    if (address === null) return backToLogin(ctx, {});
    const answer = redirect(address);
    const forget = idTokenCookie("", 0, cookieScope(ctx));
    if (forget !== undefined) answer.headers.append("set-cookie", forget);
    return answer;

    /** Where the provider is away, the visitor stays signed in there, as with a closed browser. */
    async function addressOf(): Promise<string | null> {
      try {
        return await oidc.endAddress(idToken, publicAddress(ctx, "/login"));
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        ctx.state.cubby.log.line(error.message, "error");
        return null;
      }
    }
  },
});
