import type { Context } from "fresh";
import type { State } from "../define.ts";
import type { Client, SignedIn } from "../../features/accounts/auth/session.ts";
import { recordActivity } from "../request/activities.ts";
import { errorResponse, logUnexpected } from "./error_response.ts";
import type { RecoveryCodes } from "../../../shared/schemas/factors.ts";
import { jsonAnswer, textAnswer } from "./answers.ts";
import { publicOrigin } from "../middleware/client_address.ts";
import { type CookieScope, forgetSessionCookie, sessionCookie } from "../request/auth/cookies.ts";

/** The client of a request, for the list of sessions. */
export function clientOf(ctx: Context<State>): Client {
  return { address: ctx.state.address, agent: ctx.req.headers.get("user-agent") ?? "" };
}

/** Answers with a session token: as the body, and in the cookie. */
export function tokenAnswer(ctx: Context<State>, token: string): Response {
  return textAnswer(token, { headers: cookieHeaders(ctx, token) });
}

function cookieHeaders(ctx: Context<State>, token: string): Record<string, string> {
  const seconds = ctx.state.cubby.config.tokenLifeMs / 1000;
  return { "set-cookie": sessionCookie(token, seconds, cookieScope(ctx)) };
}

/**
 * Answers with recovery codes, which no later answer shows.
 *
 * @param token the new token of the session, where the codes came with one
 */
export function recoveryCodesAnswer(
  ctx: Context<State>,
  recoveryCodes: string[],
  token?: string,
): Response {
  const shown: RecoveryCodes = { recoveryCodes, token };
  if (token === undefined) return jsonAnswer(shown);
  return jsonAnswer(shown, { headers: cookieHeaders(ctx, token) });
}

/** Answers that the session has ended, and deletes its cookie. */
export function signedOutAnswer(ctx: Context<State>): Response {
  return textAnswer("", { headers: forgetHeaders(ctx) });
}

/** Ends the session of the request. Also where that fails, the answer deletes its cookie. */
export async function signOut(
  ctx: Context<State>,
  { user, session }: SignedIn,
): Promise<Response> {
  try {
    await ctx.state.cubby.sessions.end(user.id, session.sid);
    recordActivity(ctx, "signout");
    return signedOutAnswer(ctx);
  } catch (error) {
    logUnexpected(ctx, error);
    return errorResponse(error, ctx.req, forgetHeaders(ctx));
  }
}

function forgetHeaders(ctx: Context<State>): Record<string, string> {
  return { "set-cookie": forgetSessionCookie(cookieScope(ctx)) };
}

/** The scope of the response's cookies. */
export function cookieScope(ctx: Context<State>): CookieScope {
  const { baseUrl, trustedProxies } = ctx.state.cubby.config;
  return { baseUrl, https: publicOrigin(ctx.info, ctx.req, trustedProxies).https };
}
