import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import type { State } from "../define.ts";
import { signInDav } from "../dav/dav_sign_in.ts";
import { ocsAnswer, type OcsData } from "./ocs_answer.ts";

/** The methods that calls of OCS have. */
type OcsMethod = "GET" | "POST" | "PUT" | "DELETE";

/** Answers with the data of a call; without any, with an empty list. */
type OcsHandler = (ctx: Context<State>) => OcsData | Promise<OcsData>;

/** A call of OCS. */
interface OcsCall {
  /** Whether it answers without a sign-in as well. */
  isPublic?: true;
  handle: OcsHandler;
}

/**
 * Middleware: signs in as WebDAV does, see {@linkcode signInDav}. A request without credentials goes
 * on without a sign-in: the call decides.
 */
export async function signInOcs(ctx: Context<State>): Promise<Response> {
  const isAnonymous = !ctx.req.headers.has("authorization") &&
    ctx.state.cubby.config.authMethod === "json";
  return isAnonymous ? await ctx.next() : await signInDav(ctx);
}

/**
 * Combines the calls of an address of OCS into one handler: HEAD runs GET.
 *
 * All but public ones need the header `OCS-APIRequest`, which clients send and no other site may
 * set: where a proxy vouches for users, or a browser has kept a name and a password, another site's
 * page could otherwise have a call made (CSRF).
 */
export function ocsCalls(
  declared: Partial<Record<OcsMethod, OcsCall>>,
): (ctx: Context<State>) => Promise<Response> {
  return async function answer(ctx) {
    const name = ctx.req.method === "HEAD" ? "GET" : ctx.req.method;
    const call = Object.hasOwn(declared, name) ? declared[name as OcsMethod] : undefined;
    if (!call) {
      const allow = Object.keys(declared).join(", ");
      const message = `Cannot answer ${ctx.req.method} here: allowed are ${allow}`;
      throw new DomainError("method_not_allowed", message);
    }
    if (!call.isPublic) requireSignIn(ctx);
    return ocsAnswer(ctx, await call.handle(ctx));
  };
}

/** @throws DomainError `not_signed_in`; `precondition_failed` */
function requireSignIn({ req, state }: Context<State>): void {
  if (!state.signedIn) {
    throw new DomainError("not_signed_in", "Cannot answer the request: sign in first");
  }
  if (req.headers.get("ocs-apirequest") === "true") return;
  const message = "Cannot answer the request: send the header OCS-APIRequest: true";
  throw new DomainError("precondition_failed", message);
}
