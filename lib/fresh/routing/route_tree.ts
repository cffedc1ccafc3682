import { runChain } from "./chain.ts";
import type { Command } from "./commands.ts";
import { type Context, wrappersOf } from "../context.ts";
import { HttpError } from "../error.ts";
import { isHandlerByMethod } from "./handlers.ts";
import { joinPattern, segmentsOf } from "./path_pattern.ts";
import { answerWith, type CompleteRoute, completeRoute } from "./route.ts";
import { Router } from "./router.ts";
import type {
  LayoutConfig,
  MaybeLazyMiddleware,
  Method,
  Middleware,
  RouteComponent,
} from "../types.ts";

/** A compiled chain: takes a request and a fallback for the end of the chain. */
export type Chain<State> = (
  ctx: Context<State>,
  last: () => Promise<Response>,
) => Promise<Response>;

/** The application, compiled from its commands. */
export interface RouteTree<State> {
  /** Finds the chain of a request. */
  router: Router<Chain<State>>;
  /** The chain of requests that no route answers: the middlewares of the root alone. */
  root: Chain<State>;
}

interface Segment<State> {
  parent: Segment<State> | null;
  children: Map<string, Segment<State>>;
  steps: MaybeLazyMiddleware<State>[];
  app: RouteComponent<State> | null;
  layout: { component: RouteComponent<State>; config: LayoutConfig } | null;
  error: CompleteRoute<State> | null;
  /** Only the root has one; it answers every 404, whenever it was registered. */
  notFound: CompleteRoute<State> | null;
}

/** Replays the commands of an application. A route keeps the wrappers registered before it. */
export function buildRouteTree<State>(
  commands: Command<State>[],
  basePath: string,
): RouteTree<State> {
  const root = newSegment<State>(null);
  const router = new Router<Chain<State>>();
  apply(commands, basePath, root, router);
  return { router, root: chainOf(root, []) };
}

function newSegment<State>(parent: Segment<State> | null): Segment<State> {
  return {
    parent,
    children: new Map(),
    steps: [],
    app: null,
    layout: null,
    error: null,
    notFound: null,
  };
}

function apply<State>(
  commands: Command<State>[],
  basePath: string,
  root: Segment<State>,
  router: Router<Chain<State>>,
): void {
  for (const command of commands) {
    switch (command.kind) {
      case "middleware":
        segmentAt(root, command).steps.push(...command.steps);
        break;
      case "layout": {
        const { component, config = {} } = command;
        segmentAt(root, command).layout = { component, config };
        break;
      }
      case "error":
        segmentAt(root, command).error = completeRoute(command.route);
        break;
      case "notFound":
        root.notFound = completeRoute(command.route);
        break;
      case "app":
        root.app = command.component;
        break;
      case "handler": {
        const chain = chainOf(segmentAt(root, command), command.steps);
        const pattern = joinPattern(basePath, command.pattern) || "*";
        if (command.method === "ALL") router.addAll(pattern, chain);
        else router.add(command.method, pattern, chain);
        break;
      }
      case "route":
        addRoute(command, basePath, segmentAt(root, command), router);
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
  router: Router<Chain<State>>,
): void {
  const { route: given, config } = command;
  if (typeof given === "function") {
    let route: CompleteRoute<State> | undefined;
    const chain = chainOf(segment, [async (ctx) => {
      route ??= completeRoute(await given());
      return await answerWith(ctx, route);
    }]);
    const pattern = joinPattern(basePath, config?.routeOverride ?? command.pattern) || "*";
    const methods = config?.methods ?? "ALL";
    if (methods === "ALL") return router.addAll(pattern, chain);
    for (const method of methods) router.add(method, pattern, chain);
    return;
  }

  const route = completeRoute({
    ...given,
    config: { ...given.config, ...config },
  });
  const chain = chainOf(segment, [(ctx) => answerWith(ctx, route)]);
  const pattern = joinPattern(basePath, route.config?.routeOverride ?? command.pattern) || "*";
  if (!isHandlerByMethod(route.handler)) return router.addAll(pattern, chain);
  for (const method of Object.keys(route.handler)) {
    router.add(method as Method, pattern, chain);
  }
}

function segmentAt<State>(
  root: Segment<State>,
  { pattern, ownSegment }: { pattern: string; ownSegment: boolean },
): Segment<State> {
  let segment = root;
  for (const name of segmentsOf(pattern, ownSegment)) {
    let child = segment.children.get(name);
    if (child === undefined) {
      child = newSegment(segment);
      segment.children.set(name, child);
    }
    segment = child;
  }
  return segment;
}

/** The boundary and the middlewares of each segment from the root down, then the route's own steps. */
function chainOf<State>(segment: Segment<State>, own: MaybeLazyMiddleware<State>[]): Chain<State> {
  const path: Segment<State>[] = [];
  for (let at: Segment<State> | null = segment; at !== null; at = at.parent) {
    path.unshift(at);
  }
  const root = path[0] ?? segment;
  const steps = path.flatMap((at) => [boundaryOf(at, root), ...at.steps]);
  steps.push(...own);
  return (ctx, last) => runChain(steps, ctx, last);
}

/** Applies the wrappers of a segment, and turns errors of inner handlers into an answer. */
function boundaryOf<State>(segment: Segment<State>, root: Segment<State>): Middleware<State> {
  const { app, layout, error: errorRoute } = segment;
  return async function boundary(ctx) {
    const wrappers = wrappersOf(ctx);
    const outer = { ...wrappers };
    if (app !== null) wrappers.app = app;
    if (layout !== null) {
      const { component, config } = layout;
      if (config.skipAppWrapper) wrappers.app = null;
      wrappers.layouts = config.skipInheritedLayouts
        ? [component]
        : [...wrappers.layouts, component];
    }
    const here = { ...wrappers };

    try {
      return await ctx.next();
    } catch (error) {
      ctx.error = error;
      Object.assign(wrappers, here);
      const status = error instanceof HttpError ? error.status : 500;
      if (status === 404 && root.notFound !== null) {
        return await answerWith(ctx, root.notFound);
      }
      if (errorRoute !== null) return await answerWith(ctx, errorRoute, status);
      throw error;
    } finally {
      Object.assign(wrappers, outer);
    }
  };
}

function joinMount(basePath: string, pattern: string): string {
  return pattern === "*" ? basePath : joinPattern(basePath, pattern);
}
