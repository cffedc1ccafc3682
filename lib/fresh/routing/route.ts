import type { JSX } from "preact";
import { addStyles, type Context, wrappersOf } from "../context.ts";
import { HttpError } from "../error.ts";
import { type HandlerFn, isHandlerByMethod, type RouteHandler } from "./handlers.ts";
import { renderComponent } from "../render.ts";
import type { Method, Route } from "../types.ts";

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
export async function answerWith<State>(
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
    const rendered = await renderComponent(ctx, route.component, () => null, result.data);
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
