import type { Context } from "fresh";
import { DomainError } from "../../shared/errors.ts";
import type { ApiToken } from "../features/accounts/auth/api_token.ts";
import type { State } from "./define.ts";
import {
  type CallDescription,
  type CallMethod,
  jsonBodyOf,
  type TokenRight,
  type Who,
} from "./openapi/call.ts";
import { adminOf, signedInOf } from "./middleware/sign_in.ts";
import { readJsonBody } from "./request/json_body.ts";
import { errorResponse } from "./response/error_response.ts";

/** A call with the function that answers it. */
export interface Call extends CallDescription {
  /**
   * Answers a request whose caller may make it. A GET that opens files checks `ctx.req.method`, so
   * that HEAD opens none.
   *
   * @param body the JSON body that the call declares; else an object without members
   */
  handle(ctx: Context<State>, body: Record<string, unknown>): Response | Promise<Response>;
}

/** The calls of one route, by method; HEAD and OPTIONS follow from these. */
export type Calls = Partial<Record<CallMethod, Call>>;

/** Calls that one route answers for further paths, to be documented, by path template. */
export type FurtherCalls = Record<string, Partial<Record<CallMethod, CallDescription>>>;

/** The handler of a route, which has the declaration of its calls with it. */
export interface CallHandler {
  (ctx: Context<State>): Promise<Response>;
  readonly calls: Calls;
  readonly further: FurtherCalls;
}

/**
 * Makes the handler of a route from the declaration of its calls: HEAD runs GET and drops the body,
 * OPTIONS answers 204, an undeclared method 405; both with `Allow` (RFC 9110, 9.3 and 15.5.6).
 * A caller who may not make the call is refused before anything of the request is read; then a
 * declared JSON body is read and checked, and only then the call runs. The OpenAPI document and its
 * references are made of the same declaration.
 */
export function calls(declared: Calls, further: FurtherCalls = {}): CallHandler {
  const allow = allowed(declared);
  const isOpen = Object.values(declared).every(({ who }) => isOpenTo(who));
  return Object.assign(async function answer(ctx: Context<State>): Promise<Response> {
    const { method } = ctx.req;
    if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow } });
    const call = callOf(declared, method);
    if (!call) {
      if (!isOpen) checkCaller(ctx, {});
      const message = `Cannot answer ${method} here: allowed are ${allow}`;
      return errorResponse(new DomainError("method_not_allowed", message), ctx.req, { allow });
    }
    checkCaller(ctx, call);
    const json = jsonBodyOf(call);
    const body = json && !json.isReadByCall ? await readJsonBody(ctx, json) : {};
    const answered = await call.handle(ctx, body);
    return method === "HEAD" ? await withoutBody(answered) : answered;
  }, { calls: declared, further });
}

/** Wraps the handler of calls in a function that sees each request first. */
export function wrapped(
  handler: CallHandler,
  around: (ctx: Context<State>, answer: CallHandler) => Promise<Response>,
): CallHandler {
  const { calls, further } = handler;
  return Object.assign(
    (ctx: Context<State>) => around(ctx, handler),
    { calls, further },
  );
}

function callOf(declared: Calls, method: string): Call | undefined {
  const name = method === "HEAD" ? "GET" : method;
  return Object.hasOwn(declared, name) ? declared[name as CallMethod] : undefined;
}

function isOpenTo(who: Who | undefined): boolean {
  return who === "anyone" || who === "scraper";
}

/**
 * Refuses a caller who may not make a call.
 *
 * @throws DomainError `not_signed_in`; `factor_setup_required`; `forbidden`
 */
function checkCaller(
  ctx: Context<State>,
  { who, token: right, summary = "" }: Partial<CallDescription>,
): void {
  if (isOpenTo(who)) return;
  if (who === "enrolling" && ctx.state.enrolling) return;
  const { token } = signedInOf(ctx);
  if (token) checkToken(token, right);
  if (who === "admin") adminOf(ctx, summary.charAt(0).toLowerCase() + summary.slice(1));
}

/** Refuses an API token that lacks the right for a call. */
function checkToken(token: ApiToken, right: TokenRight | undefined): void {
  if (!right) throw refusalError("this call requires a session");
  const isWrite = right === "write" || right === "whole write";
  if (isWrite && !token.write) throw refusalError("the API token may only read");
  if (right === "share" && !token.share) throw refusalError("the API token may not share");
  const isBound = token.place !== null;
  if (isBound && right.startsWith("whole")) {
    throw refusalError("the API token is bound to a folder");
  }
}

function refusalError(reason: string): DomainError {
  return new DomainError("forbidden", `Cannot answer the request: ${reason}`);
}

function allowed(declared: Calls): string {
  const names = new Set<string>(Object.keys(declared));
  if (names.has("GET")) names.add("HEAD");
  names.add("OPTIONS");
  return [...names].sort().join(", ");
}

async function withoutBody(answer: Response): Promise<Response> {
  await answer.body?.cancel();
  const { status, statusText, headers } = answer;
  return new Response(null, { status, statusText, headers });
}
