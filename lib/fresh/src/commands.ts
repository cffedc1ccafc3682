import { isHandlerByMethod } from "./handlers.ts";
import type { MaybeLazyMiddleware, Middleware } from "./middlewares/mod.ts";
import { mergePath, type Method, UrlPatternRouter } from "./router.ts";
import {
  type Chain,
  chainOf,
  completeRoute,
  getOrCreateSegment,
  newSegment,
  renderRoute,
  type RouteComponent,
  type Segment,
} from "./segments.ts";
import type { LayoutConfig, MaybeLazy, Route, RouteConfig } from "./types.ts";

/** The place of a command: a path, and whether its last part is a segment of its own. */
interface Placed {
  pattern: string;
  /** False for file routes, which attach to the segment of their folder. */
  ownSegment: boolean;
}

/** One recorded call of the application, replayed in order when its handler is made. */
export type Command<State> =
  | ({ kind: "middleware"; steps: MaybeLazyMiddleware<State>[] } & Placed)
  | (
    & {
      kind: "layout";
      component: RouteComponent<State>;
      config?: LayoutConfig;
    }
    & Placed
  )
  | ({ kind: "error"; route: Route<State> } & Placed)
  | (
    & { kind: "route"; route: MaybeLazy<Route<State>>; config?: RouteConfig }
    & Placed
  )
  | ({
    kind: "handler";
    method: Method | "ALL";
    steps: MaybeLazyMiddleware<State>[];
  } & Placed)
  | { kind: "app"; component: RouteComponent<State> }
  | { kind: "notFound"; route: Route<State> }
  | { kind: "files"; pattern: string; commands: () => Command<State>[] };

/** An error or not-found route given as a middleware is a route with that handler. */
export function asRoute<State>(value: Route<State> | Middleware<State>): Route<State> {
  return typeof value === "function" ? { handler: value } : value;
}

/** The application, compiled from its commands. */
export interface RouteTree<State> {
  /** Finds the chain of a request. */
  router: UrlPatternRouter<Chain<State>>;
  /** The chain of requests that no route answers: the middlewares of the root alone. */
  root: Chain<State>;
}

/** Replays the commands of an application. A route keeps the wrappers registered before it. */
export function applyCommands<State>(
  commands: Command<State>[],
  basePath: string,
): RouteTree<State> {
  const root = newSegment<State>(null);
  const router = new UrlPatternRouter<Chain<State>>();
  apply(commands, basePath, root, router);
  return { router, root: chainOf(root, []) };
}

function apply<State>(
  commands: Command<State>[],
  basePath: string,
  root: Segment<State>,
  router: UrlPatternRouter<Chain<State>>,
): void {
  for (const command of commands) {
    switch (command.kind) {
      case "middleware":
        getOrCreateSegment(root, command).steps.push(...command.steps);
        break;
      case "layout": {
        const { component, config = {} } = command;
        getOrCreateSegment(root, command).layout = { component, config };
        break;
      }
      case "error":
        getOrCreateSegment(root, command).error = completeRoute(command.route);
        break;
      case "notFound":
        root.notFound = completeRoute(command.route);
        break;
      case "app":
        root.app = command.component;
        break;
      case "handler": {
        const chain = chainOf(getOrCreateSegment(root, command), command.steps);
        const pattern = mergePath(basePath, command.pattern) || "*";
        if (command.method === "ALL") router.addAll(pattern, chain);
        else router.add(command.method, pattern, chain);
        break;
      }
      case "route":
        addRoute(command, basePath, getOrCreateSegment(root, command), router);
        break;
      case "files":
        apply(command.commands(), joinMount(basePath, command.pattern), root, router);
        break;
    }
  }
}

function addRoute<State>(
  command: Command<State> & { kind: "route" },
  basePath: string,
  segment: Segment<State>,
  router: UrlPatternRouter<Chain<State>>,
): void {
  const { route: given, config } = command;
  if (typeof given === "function") {
    const load = loadOnce(async () => completeRoute(await given()));
    const chain = chainOf(segment, [async (ctx) => await renderRoute(ctx, await load())]);
    const pattern = mergePath(basePath, config?.routeOverride ?? command.pattern) || "*";
    const methods = config?.methods ?? "ALL";
    if (methods === "ALL") return router.addAll(pattern, chain);
    for (const method of methods) router.add(method, pattern, chain);
    return;
  }

  const route = completeRoute({
    ...given,
    config: { ...given.config, ...config },
  });
  const chain = chainOf(segment, [(ctx) => renderRoute(ctx, route)]);
  const pattern = mergePath(basePath, route.config?.routeOverride ?? command.pattern) || "*";
  if (!isHandlerByMethod(route.handler)) return router.addAll(pattern, chain);
  for (const method of Object.keys(route.handler)) {
    router.add(method as Method, pattern, chain);
  }
}

/**
 * Loads a module with the first request that needs it. Those at the same time share that load, as
 * each import would cost the thread time, even of the same module. After a failure the next request
 * tries again.
 */
function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () =>
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
}

function joinMount(basePath: string, pattern: string): string {
  return pattern === "*" ? basePath : mergePath(basePath, pattern);
}
