import type { BuildCache } from "./build_cache.ts";
import { applyCommands, asRoute, type Command, type RouteTree } from "./commands.ts";
import type { FreshConfig, ResolvedFreshConfig } from "./config.ts";
import { Context, type WebSocketHandlers, type WebSocketUpgradeOptions } from "./context.ts";
import { HttpError, STATUS_TEXT } from "./error.ts";
import { fsItemsToCommands } from "./fs_routes.ts";
import type { MaybeLazyMiddleware, Middleware } from "./middlewares/mod.ts";
import type { Method } from "./router.ts";
import { deployment } from "./runtime/shared_internal.ts";
import type { RouteComponent } from "./segments.ts";
import type { LayoutConfig, MaybeLazy, Route, RouteConfig } from "./types.ts";

/** Answers a request; `info` tells the peer of the connection. */
export type AppHandler = (req: Request, info?: Deno.ServeHandlerInfo) => Promise<Response>;

/** Attaches a build to an application: its route files, islands and static files. */
export let setBuildCache: <State>(app: App<State>, cache: BuildCache) => void;

/**
 * A web application. Its methods are recorded and replayed in order when the handler is made, so a
 * route is wrapped by the middlewares and layouts registered before it, and by no later ones.
 */
export class App<State> {
  /** The settings in force. */
  config: ResolvedFreshConfig;
  #commands: Command<State>[] = [];
  #cache: BuildCache | null = null;

  static {
    setBuildCache = (app, cache) => {
      app.#cache = cache;
      app.config.root = cache.root;
    };
  }

  constructor(config: FreshConfig = {}) {
    const { basePath = "", mode = "production", trustProxy = false } = config;
    this.config = { root: ".", basePath: basePath === "/" ? "" : basePath, mode, trustProxy };
  }

  /** Runs middlewares for every request, or for those at and below a path. */
  use(...steps: MaybeLazyMiddleware<State>[]): this;
  use(path: string, ...steps: MaybeLazyMiddleware<State>[]): this;
  use(
    first: string | MaybeLazyMiddleware<State>,
    ...rest: MaybeLazyMiddleware<State>[]
  ): this {
    if (typeof first === "string") {
      return this.#place("middleware", first, rest);
    }
    return this.#place("middleware", "*", [first, ...rest]);
  }

  /** Answers GET, and HEAD, at a path. */
  get(path: string, ...steps: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle("GET", path, steps);
  }

  /** Answers POST at a path. */
  post(path: string, ...steps: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle("POST", path, steps);
  }

  /** Answers PUT at a path. */
  put(path: string, ...steps: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle("PUT", path, steps);
  }

  /** Answers PATCH at a path. */
  patch(path: string, ...steps: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle("PATCH", path, steps);
  }

  /** Answers DELETE at a path. */
  delete(path: string, ...steps: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle("DELETE", path, steps);
  }

  /** Answers HEAD at a path. */
  head(path: string, ...steps: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle("HEAD", path, steps);
  }

  /** Answers every method at a path. */
  all(path: string, ...steps: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle("ALL", path, steps);
  }

  /** Opens a WebSocket for requests at a path. */
  ws(path: string, handlers: WebSocketHandlers, options?: WebSocketUpgradeOptions): this {
    return this.get(path, (ctx) => ctx.upgrade(handlers, options));
  }

  /** Registers a route; a function that gives one is called on the first request. */
  route(path: string, route: MaybeLazy<Route<State>>, config?: RouteConfig): this {
    return this.#record({ kind: "route", pattern: path, ownSegment: true, route, config });
  }

  /** Wraps the pages at and below a path. */
  layout(path: string, component: RouteComponent<State>, config?: LayoutConfig): this {
    return this.#record({ kind: "layout", pattern: path, ownSegment: true, component, config });
  }

  /** Wraps every page; renders the outer document. */
  appWrapper(component: RouteComponent<State>): this {
    return this.#record({ kind: "app", component });
  }

  /** Answers what is thrown at and below a path. */
  onError(path: string, route: Route<State> | Middleware<State>): this {
    return this.#record({ kind: "error", pattern: path, ownSegment: true, route: asRoute(route) });
  }

  /** Answers every 404. */
  notFound(route: Route<State> | Middleware<State>): this {
    return this.#record({ kind: "notFound", route: asRoute(route) });
  }

  /** Inserts the route files of the build here, below a path if one is given. */
  fsRoutes(mountPath = "*"): this {
    return this.#record({
      kind: "files",
      pattern: mountPath,
      commands: () => this.#cache === null ? [] : fsItemsToCommands(this.#cache.fsRoutes),
    });
  }

  /** Compiles the application into a function that answers requests. */
  handler(): AppHandler {
    if (this.#cache !== null) deployment.buildId = this.#cache.buildId;
    const tree = applyCommands(this.#commands, this.config.basePath);
    return requestHandler(tree, this.config, this.#cache);
  }

  /** Serves the application; without a port, on the first free one from 8000 to 8019. */
  async listen(options: ListenOptions = {}): Promise<void> {
    await listen(this.handler(), this.config.basePath, options);
  }

  #place(kind: "middleware", pattern: string, steps: MaybeLazyMiddleware<State>[]): this {
    return this.#record({ kind, pattern, ownSegment: true, steps });
  }

  #handle(method: Method | "ALL", pattern: string, steps: MaybeLazy<Middleware<State>>[]): this {
    return this.#record({
      kind: "handler",
      method,
      pattern,
      ownSegment: true,
      steps: steps as MaybeLazyMiddleware<State>[],
    });
  }

  #record(command: Command<State>): this {
    this.#commands.push(command);
    return this;
  }
}

/** Options of the listening socket. */
export type ListenOptions =
  & Partial<Deno.ServeTcpOptions & Deno.TlsCertifiedKeyPem>
  & {
    /** An address at which clients reach the server; only printed. */
    remoteAddress?: string;
  };

const FIRST_PORT = 8000;

const LAST_PORT = 8019;

/**
 * Serves a handler. Without a port, the first free one from 8000 to 8019 is taken.
 *
 * @throws {Deno.errors.AddrInUse} when the port, or each of them, is taken.
 */
export async function listen(
  handler: Deno.ServeHandler,
  basePath: string,
  options: ListenOptions,
): Promise<Deno.HttpServer> {
  const onListen = options.onListen ??
    ((address) => announce(address, basePath, options));
  if (options.port !== undefined) {
    return Deno.serve({ ...options, onListen }, handler);
  }

  for (let port = FIRST_PORT;; port++) {
    try {
      return await Deno.serve({ ...options, port, onListen }, handler);
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse) || port === LAST_PORT) {
        throw error;
      }
    }
  }
}

function announce(address: Deno.NetAddr, basePath: string, options: ListenOptions): void {
  const protocol = options.cert === undefined ? "http" : "https";
  const hostname = address.hostname.includes(":") ? `[${address.hostname}]` : address.hostname;
  console.log(
    `Fresh ready at ${protocol}://${hostname}:${address.port}${basePath}/`,
  );
  if (options.remoteAddress) {
    console.log(`Reachable at ${options.remoteAddress}`);
  }
}

const NO_INFO: Deno.ServeHandlerInfo = {
  remoteAddr: { transport: "tcp", hostname: "localhost", port: 1234 },
  completed: Promise.resolve(),
};

/** Makes the function that answers requests with a compiled application. */
function requestHandler<State>(
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
      : refusal(method, tree.router.getAllowedMethods(pattern));
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
