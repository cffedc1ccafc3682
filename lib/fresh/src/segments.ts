import type { AnyComponent, JSX } from "preact";
import { addStyles, type Context, wrappersOf } from "./context.ts";
import { HttpError } from "./error.ts";
import { type HandlerFn, isHandlerByMethod, type RouteHandler } from "./handlers.ts";
import { type MaybeLazyMiddleware, type Middleware, runChain } from "./middlewares/mod.ts";
import { type PageProps, renderRouteComponent } from "./render.ts";
import { type Method, patternToSegments } from "./router.ts";
import type { LayoutConfig, Route } from "./types.ts";

/**
 * A component of a page, layout, error route or app wrapper. It may be async, and may give a
 * Response instead of markup.
 */
export type RouteComponent<State, Data = unknown> = AnyComponent<PageProps<Data, State>>;

/** A compiled chain: takes a request and a fallback for the end of the chain. */
export type Chain<State> = (
  ctx: Context<State>,
  last: () => Promise<Response>,
) => Promise<Response>;

/** A part of the path, with all that applies at and below it. */
export interface Segment<State> {
  parent: Segment<State> | null;
  children: Map<string, Segment<State>>;
  steps: MaybeLazyMiddleware<State>[];
  app: RouteComponent<State> | null;
  layout: { component: RouteComponent<State>; config: LayoutConfig } | null;
  error: CompleteRoute<State> | null;
  /** Only the root has one; it answers every 404, whenever it was registered. */
  notFound: CompleteRoute<State> | null;
}

/** A segment to which nothing applies yet. */
export function newSegment<State>(parent: Segment<State> | null): Segment<State> {
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

/** The segment of a command. */
export function getOrCreateSegment<State>(
  root: Segment<State>,
  { pattern, ownSegment }: { pattern: string; ownSegment: boolean },
): Segment<State> {
  let segment = root;
  for (const name of patternToSegments(pattern, ownSegment)) {
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
export function chainOf<State>(
  segment: Segment<State>,
  own: MaybeLazyMiddleware<State>[],
): Chain<State> {
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
    const { app: outerApp, layouts: outerLayouts } = wrappers;
    if (app !== null) wrappers.app = app;
    if (layout !== null) {
      const { component, config } = layout;
      if (config.skipAppWrapper) wrappers.app = null;
      wrappers.layouts = config.skipInheritedLayouts
        ? [component]
        : [...wrappers.layouts, component];
    }
    const { app: ownApp, layouts: ownLayouts } = wrappers;

    try {
      return await ctx.next();
    } catch (error) {
      ctx.error = error;
      wrappers.app = ownApp;
      wrappers.layouts = ownLayouts;
      const status = error instanceof HttpError ? error.status : 500;
      if (status === 404 && root.notFound !== null) {
        return await renderRoute(ctx, root.notFound);
      }
      if (errorRoute !== null) return await renderRoute(ctx, errorRoute, status);
      throw error;
    } finally {
      wrappers.app = outerApp;
      wrappers.layouts = outerLayouts;
    }
  };
}

/** A route whose handler is known: what {@linkcode completeRoute} gives. */
export interface CompleteRoute<State> extends Route<State> {
  handler: RouteHandler<unknown, State>;
}

/** Adds the handler that a route leaves out: render the component, or answer 404. */
export function completeRoute<State>(route: Route<State>): CompleteRoute<State> {
  const { component, handler } = route;
  if (handler === undefined) {
    return {
      ...route,
      handler: component === undefined ? notFound : renderOnly,
    };
  }
  if (component !== undefined && isHandlerByMethod(handler) && handler.GET === undefined) {
    return { ...route, handler: { ...handler, GET: renderOnly } };
  }
  return { ...route, handler };
}

/** Answers a request with a route: its handler first, then its component with the handler's data. */
export async function renderRoute<State>(
  ctx: Context<State>,
  route: CompleteRoute<State>,
  status = 200,
): Promise<Response> {
  const wrappers = wrappersOf(ctx);
  if (route.config?.skipAppWrapper) wrappers.app = null;
  if (route.config?.skipInheritedLayouts) wrappers.layouts = [];
  addStyles(ctx, route.css);

  const handler = handlerFor(route.handler, ctx.req.method);
  const result = handler === undefined ? await ctx.next() : await handler(ctx);
  if (result instanceof Response) return result;
  if (typeof result !== "object" || result === null) {
    throw new TypeError(
      `Cannot answer ${ctx.req.method} "${ctx.url.pathname}": the handler returned ${result}`,
    );
  }

  let vnode: JSX.Element | null = null;
  if (route.component !== undefined) {
    const rendered = await renderRouteComponent(ctx, route.component, () => null, result.data);
    if (rendered instanceof Response) return rendered;
    vnode = rendered;
  }
  return await ctx.render(vnode, {
    status: result.status ?? status,
    headers: new Headers(result.headers),
  });
}

function handlerFor<State>(
  handler: RouteHandler<unknown, State>,
  method: string,
): HandlerFn<unknown, State> | undefined {
  if (!isHandlerByMethod(handler)) return handler;
  return handler[method.toUpperCase() as Method] ??
    (method === "HEAD" ? handler.GET : undefined);
}

function renderOnly(): { data: Record<string, never> } {
  return { data: {} };
}

function notFound(): never {
  throw new HttpError(404);
}
