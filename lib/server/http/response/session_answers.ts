import type { Context } from "fresh";
import type { State } from "../../define.ts";
import type { Client } from "../../auth/session.ts";
import { textAnswer } from "./answers.ts";
import { publicOrigin } from "../middleware/client_address.ts";
import { type CookieScope, forgetSessionCookie, sessionCookie } from "../request/cookies.ts";

/** Where a request comes from, for the list of sessions. */
export function clientOf(ctx: Context<State>): Client {
  return { address: ctx.state.address, agent: ctx.req.headers.get("user-agent") ?? "" };
}

/** Hands out a session token: as the text of the answer, and in the cookie. */
export function tokenAnswer(ctx: Context<State>, token: string): Response {
  const seconds = ctx.state.cubby.config.tokenLifeMs / 1000;
  return textAnswer(token, {
    headers: { "set-cookie": sessionCookie(token, seconds, cookieScope(ctx)) },
  });
}

/** Says that the session is gone, and has the browser forget its token. */
export function signedOutAnswer(ctx: Context<State>): Response {
  return textAnswer("", { headers: { "set-cookie": forgetSessionCookie(cookieScope(ctx)) } });
}

/** Where the cookies of an answer are sent, and how. */
export function cookieScope(ctx: Context<State>): CookieScope {
  const { baseUrl, trustedProxies } = ctx.state.cubby.config;
  return { baseUrl, https: publicOrigin(ctx.info, ctx.req, trustedProxies).https };
}
