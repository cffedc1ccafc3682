import { type Context, HttpError } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { atOwnTop } from "../../features/accounts/auth/api_token.ts";
import type { Caller } from "../../features/accounts/auth/session.ts";
import type { State } from "../define.ts";
import { implicitSession } from "../middleware/implicit_sessions.ts";
import { proxyUser } from "../middleware/proxy_user.ts";
import { basicCredentials, presentedToken } from "../request/auth/credentials.ts";
import { requirePasswords } from "../request/auth/require_passwords.ts";

/** Middleware: nothing is here without the option that serves it. */
export function requireOption(option: "webdav" | "syncClients" | "office") {
  return async function requireOption(ctx: Context<State>): Promise<Response> {
    if (!ctx.state.cubby.config[option]) throw new HttpError(404);
    return await ctx.next();
  };
}

/**
 * Middleware: signs in by `Authorization: Basic` with a password or an API token, or as the user
 * whom a proxy names. The cookie of the pages counts for nothing here: a browser would send it for
 * another site's page as well. OPTIONS tells nothing but methods, and Windows asks so before it
 * sends a password. The addresses of sync clients begin at the folder of an API token.
 */
export async function signInDav(ctx: Context<State>): Promise<Response> {
  if (ctx.req.method !== "OPTIONS") {
    const caller = await callerOf(ctx);
    const isDrive = ctx.url.pathname.startsWith("/dav", ctx.config.basePath.length);
    const user = isDrive ? caller.user : atOwnTop(caller.user);
    ctx.state.signedIn = { ...caller, user: { ...user, seesCompanions: true } };
  }
  return await ctx.next();
}

async function callerOf(ctx: Context<State>): Promise<Caller> {
  const { cubby, address } = ctx.state;
  const isJson = cubby.config.authMethod === "json";
  const user = isJson ? undefined : await proxyUser(ctx);
  const secret = presentedToken(ctx.req.headers);
  if (secret !== undefined) {
    const caller = await cubby.apiTokens.authenticate(secret, address);
    // Under `proxy` it counts only with the proxy's word for its user.
    if (cubby.config.authMethod !== "proxy" || user?.id === caller.user.id) return caller;
    throw notSignedInError("the proxy did not name the user of this token");
  }
  if (user) return await implicitSession(cubby, user);
  const credentials = isJson ? basicCredentials(ctx.req) : null;
  if (!credentials) {
    throw notSignedInError(isJson ? "send a name and a password" : "the proxy named no user");
  }
  requirePasswords(cubby.config, "sign in");
  const seen = await cubby.passwordLogins.authenticate({ ...credentials, address });
  return { ...seen, stale: false };
}

function notSignedInError(reason: string): DomainError {
  return new DomainError("not_signed_in", `Cannot sign in: ${reason}`);
}
