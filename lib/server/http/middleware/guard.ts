import type { App, Context } from "fresh";
import type { Config } from "../../core/config/config.ts";
import type { Cubby } from "../../boot/cubby/cubby.ts";
import type { State } from "../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import { percentDecoded } from "../../../shared/path.ts";
import { servesDav } from "../dav/dav_address.ts";
import { decodeSlashes, namePathInAddress, setUrl } from "../request/request_path.ts";
import { clientAddress, forwardedHost, isOverHttps } from "./client_address.ts";
import { errorResponse } from "../response/error_response.ts";
import { isHost, pathAsSent } from "./host.ts";
import { unlogged } from "./request_log.ts";
import { announcedLength, countRequest } from "./request_metrics.ts";
import { withSecurityHeaders } from "./security_headers.ts";

/** The request handler that Fresh builds from an application. */
export type AppHandler = ReturnType<App<State>["handler"]>;

type Info = Deno.ServeHandlerInfo | undefined;

/** The methods that Fresh's router knows. It fails at any other. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** The further methods of WebDAV. */
const DAV_METHODS = new Set([
  ...["PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK"],
  ...["REPORT", "SEARCH"],
]);

/** Requests of WebDAV as they were sent, by those that the router gets in their place. */
const sentRequests = new WeakMap<Request, Request>();

/** The scheme of the URLs that Deno gives requests over a Unix socket. */
const overSocket = "http+unix:";

/** The methods of a page and of a file of the build, which do not answer OPTIONS. */
const READING = "GET, HEAD";

/**
 * Wraps Fresh's handler and refuses requests that would mislead it or make it fail: a URL without a
 * proper host (400), a malformed percent-escape in the path (400), a method that no route has
 * (405). All responses pass here, so none lacks the security headers.
 */
export function guard(
  handler: AppHandler,
  { config, log }: Pick<Cubby, "config" | "log">,
): AppHandler {
  return async function guarded(req, info) {
    const start = performance.now();
    const problem = addressProblem(req, info, config);
    // Before the handler: the headers of a request that became a WebSocket cannot be read.
    const isSecure = info !== undefined && isOverHttps(info, req, config);
    const hsts = isSecure ? config.hsts : undefined;
    if (problem === null && isKnown(req, config)) {
      const answer = await handler(routable(req), info).catch((error) => {
        const reason = error instanceof Error ? error.stack ?? error.message : String(error);
        log.line(`Failed: ${req.method} ${pathAsSent(req)}: ${reason}`, "error");
        return errorResponse(error, req);
      });
      return secured(forMethod(req, answer), hsts);
    }

    const refusal = problem === null
      ? await methodRefusal(handler, req, info, config)
      : errorResponse(new DomainError("invalid_path", problem), req);
    const ms = performance.now() - start;
    const length = announcedLength(req);
    countRequest({ req, route: null, status: refusal.status, ms, length, answer: refusal });
    log.request({
      status: refusal.status,
      ms,
      method: req.method,
      path: pathAsSent(req) ?? "-",
      address: info ? clientAddress(info, req, config.trustedProxies) : "-",
    });
    return secured(forMethod(req, refusal), hsts);
  };
}

/** Whether some route may have the method of a request. */
function isKnown({ method, url }: Request, config: Config): boolean {
  if (METHODS.has(method)) return true;
  return DAV_METHODS.has(method) && servesDav(new URL(url).pathname, config);
}

/** A request that the router can match: WebDAV's methods become POST, which its addresses answer, too. */
function routable(req: Request): Request {
  if (METHODS.has(req.method)) return req;
  const routed = new Request(req.url, { method: "POST" });
  sentRequests.set(routed, req);
  return routed;
}

/** Middleware, before all others: replaces a request by the one that the client sent. */
export function restoreRequest(ctx: Context<State>): Promise<Response> {
  ctx.req = sentRequests.get(ctx.req) ?? ctx.req;
  return ctx.next();
}

/**
 * The reason why the URL of a request is refused, as a sentence; null when it is valid. A path in
 * its query is put where the routes read it, and a request over a Unix socket gets a URL like others.
 */
function addressProblem(
  req: Request,
  info: Info,
  { trustedProxies, baseUrl, apiCompat }: Config,
): string | null {
  if (req.url.startsWith(overSocket)) setUrl(req, `http:${req.url.slice(overSocket.length)}`);
  const path = pathAsSent(req);
  const forwarded = info ? forwardedHost(info, req, trustedProxies) : "";
  if (path === null || (forwarded !== "" && !isHost(forwarded))) {
    return "Cannot answer the request: its address is malformed, or its host not host[:port]";
  }
  if (path.includes("%") && percentDecoded(path) === null) {
    return "Cannot read the path: malformed percent-escape";
  }
  try {
    if (apiCompat === "2.63") decodeSlashes(req, baseUrl);
    namePathInAddress(req, baseUrl);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}

/** The refusal of an unsupported method; `Allow` comes from the route's response to OPTIONS. */
async function methodRefusal(
  handler: AppHandler,
  req: Request,
  info: Info,
  { baseUrl }: Config,
): Promise<Response> {
  const probe = new Request(req.url, { method: "OPTIONS", headers: req.headers });
  unlogged.add(probe);
  const options = await handler(probe, info);
  await options.body?.cancel();
  const isCall = new URL(req.url).pathname.startsWith(`${baseUrl}/api/`);
  if (isCall && options.status === 404) {
    const message = "Cannot answer the request: not found";
    return errorResponse(new DomainError("not_found", message), req);
  }
  const allow = withHead(options.headers.get("allow") || READING);
  const message = `Cannot answer ${req.method} here: allowed are ${allow}`;
  return errorResponse(new DomainError("method_not_allowed", message), req, { allow });
}

/** Adds HEAD, which every route with GET answers and Fresh leaves out. */
function withHead(allow: string): string {
  return /\bHEAD\b/.test(allow) ? allow : allow.replace(/\bGET\b/, "GET, HEAD");
}

/** Statuses of responses that have no body. */
const withoutBody = new Set([101, 204, 205, 304]);

/**
 * A response as its request may have it: to HEAD without a body, and without a length unless that of
 * the response to GET is known (RFC 9110, 8.6). Deno adds a length of 0 to a response without a
 * body, and none to a stream.
 */
function forMethod({ method }: Request, answer: Response): Response {
  if (method !== "HEAD" || withoutBody.has(answer.status)) return answer;
  if (answer.headers.has("content-length")) return answer;
  void answer.body?.cancel();
  return new Response(ReadableStream.from([]), answer);
}

/** @param hsts seconds for which browsers must use https; undefined for no such header */
function secured(answer: Response, hsts: number | undefined): Response {
  if (hsts !== undefined) answer.headers.set("strict-transport-security", `max-age=${hsts}`);
  return withSecurityHeaders(answer);
}
