import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import type { State } from "../define.ts";
import { errorResponse } from "../response/error_response.ts";
import { clientErrorResponse } from "./client_error.ts";
import { isForClients } from "./dav_address.ts";

/** The methods of WebDAV besides OPTIONS and HEAD, in the order of the header `Allow`. */
export type DavMethod =
  | ("GET" | "PUT" | "DELETE" | "PROPFIND" | "PROPPATCH" | "MKCOL" | "COPY" | "MOVE")
  | ("LOCK" | "UNLOCK" | "REPORT" | "SEARCH" | "POST");

type DavHandler = (ctx: Context<State>) => Response | Promise<Response>;

/** Tells clients what is spoken here: Windows looks at the second one. */
const davHeaders = { "dav": "1, 2", "ms-author-via": "DAV" };

/**
 * Middleware: answers OPTIONS at `/`, which has no such method otherwise. Windows asks there before
 * it asks at the address that the user gave.
 */
export async function announceDav(ctx: Context<State>): Promise<Response> {
  const isAsked = ctx.req.method === "OPTIONS" && ctx.state.cubby.config.webdav &&
    ctx.url.pathname === `${ctx.config.basePath}/`;
  if (!isAsked) return await ctx.next();
  const headers = { allow: "GET, HEAD, OPTIONS", ...davHeaders, "content-length": "0" };
  return new Response(null, { status: 200, headers });
}

/**
 * Combines the methods of WebDAV into one handler, as `calls()` does those of the API: HEAD runs
 * GET, OPTIONS tells them all with the classes of RFC 4918.
 */
export function davMethods(
  handlers: Partial<Record<DavMethod, DavHandler>>,
): (ctx: Context<State>) => Promise<Response> {
  const allow = ["OPTIONS", "HEAD", ...Object.keys(handlers)].join(", ");
  return async function answer(ctx) {
    const { method } = ctx.req;
    if (method === "OPTIONS") {
      const headers = { allow, ...davHeaders, "content-length": "0" };
      return new Response(null, { status: 200, headers });
    }
    const name = method === "HEAD" ? "GET" : method;
    const handler = Object.hasOwn(handlers, name) ? handlers[name as DavMethod] : undefined;
    if (handler) return await handler(ctx);
    const message = `Cannot answer ${method} here: allowed are ${allow}`;
    const error = new DomainError("method_not_allowed", message);
    return isForClients(ctx)
      ? clientErrorResponse(error, ctx.req, { headers: { allow } })
      : errorResponse(error, ctx.req, { allow });
  };
}
