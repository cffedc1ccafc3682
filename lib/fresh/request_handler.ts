import type { BuildCache } from "./build_cache.ts";
import { Context } from "./context.ts";
import { HttpError } from "./error.ts";
import type { RouteTree } from "./routing/route_tree.ts";
import { STATUS_TEXT } from "./status_text.ts";
import type { ResolvedFreshConfig } from "./types.ts";

const NO_INFO: Deno.ServeHandlerInfo = {
  remoteAddr: { transport: "tcp", hostname: "localhost", port: 1234 },
  completed: Promise.resolve(),
};

/** Makes the function that answers requests with a compiled application. */
export function requestHandler<State>(
  tree: RouteTree<State>,
  config: ResolvedFreshConfig,
  cache: BuildCache | null,
): (req: Request, info?: Deno.ServeHandlerInfo) => Promise<Response> {
  return async (req, info = NO_INFO) => {
    const url = urlOf(req, config.trustProxy);
    const method = req.method.toUpperCase();
    const { item, pattern, params } = tree.router.match(method, url);
    const last = item !== null || pattern === null
      ? notFound
      : refusal(method, tree.router.methodsOf(pattern));
    const init = { req, url, info, route: pattern, params, config, next: last, cache };
    const ctx = new Context<State>(init);

    try {
      if (item === undefined) throw new TypeError(`Cannot route a request with method ${method}`);
      const response = await (item ?? tree.root)(ctx, last);
      if (!(response instanceof Response)) {
        throw new TypeError(`Expected a "Response" instance to be returned, but got: ${response}`);
      }
      return method === "HEAD" ? new Response(null, response) : response;
    } catch (error) {
      return answerError(error);
    }
  };
}

/** Answers a request for a known path with a method that it lacks. */
function refusal(method: string, allowed: string[]): () => Promise<Response> {
  if (method !== "OPTIONS") return () => Promise.reject(new HttpError(405));
  const headers = { allow: allowed.join(", ") };
  return () => Promise.resolve(new Response(null, { status: 204, headers }));
}

function notFound(): Promise<never> {
  return Promise.reject(new HttpError(404));
}

function urlOf(req: Request, trustProxy: boolean): URL {
  const url = new URL(req.url);
  // Links made from a path that starts with "//" would lead to another site.
  if (url.pathname.includes("//")) url.pathname = url.pathname.replace(/\/+/g, "/");
  if (!trustProxy) return url;

  const protocol = firstValue(req, "x-forwarded-proto");
  if (protocol === "http" || protocol === "https") url.protocol = protocol;
  const host = firstValue(req, "x-forwarded-host");
  if (host !== "") {
    url.port = "";
    url.host = host;
  }
  return url;
}

function firstValue(req: Request, name: string): string {
  return req.headers.get(name)?.split(",")[0]?.trim() ?? "";
}

function answerError(error: unknown): Response {
  if (error instanceof HttpError) {
    if (error.status >= 500) console.error(error);
    return new Response(error.message || STATUS_TEXT[error.status], { status: error.status });
  }
  console.error(error);
  return new Response("Internal server error", { status: 500 });
}
