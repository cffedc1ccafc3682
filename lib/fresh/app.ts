import type { BuildCache } from "./build_cache.ts";
import { asRoute, type Command } from "./routing/commands.ts";
import { deployment } from "./deployment.ts";
import { commandsOf } from "./routing/fs_routes.ts";
import { listen, type ListenOptions } from "./listen.ts";
import { requestHandler } from "./request_handler.ts";
import { buildRouteTree } from "./routing/route_tree.ts";
import type {
  FreshConfig,
  LayoutConfig,
  MaybeLazy,
  MaybeLazyMiddleware,
  Method,
  Middleware,
  ResolvedFreshConfig,
  Route,
  RouteComponent,
  RouteConfig,
} from "./types.ts";
import type { WebSocketHandlers, WebSocketUpgradeOptions } from "./websocket.ts";

/** Answers a request; `info` tells the peer of the connection. */
export type AppHandler = (req: Request, info?: Deno.ServeHandlerInfo) => Promise<Response>;

/** Attaches a build to an application: its route files, islands and static files. */
export let attachBuild: <State>(app: App<State>, cache: BuildCache) => void;

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
    attachBuild = (app, cache) => {
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
      commands: () => this.#cache === null ? [] : commandsOf(this.#cache.fsRoutes),
    });
  }

  /** Compiles the application into a function that answers requests. */
  handler(): AppHandler {
    if (this.#cache !== null) deployment.buildId = this.#cache.buildId;
    const tree = buildRouteTree(this.#commands, this.config.basePath);
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
