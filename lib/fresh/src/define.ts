import type { HandlerByMethod, HandlerFn, RouteHandler } from "./handlers.ts";
import type { Middleware } from "./middlewares/mod.ts";
import type { RouteComponent } from "./segments.ts";

/** Identity functions that let the compiler infer the types of a route's parts. */
export interface Define<State> {
  /** Types the handlers of a route: `ctx` carries the app's state. */
  handlers<
    Data,
    Handlers extends RouteHandler<Data, State> = RouteHandler<Data, State>,
  >(handlers: Handlers): typeof handlers;

  /** Types a page; `page<typeof handler>` infers `props.data` from what the handlers return. */
  page<
    Handler extends RouteHandler<unknown, State> = never,
    Data = Handler extends HandlerFn<infer Data, State> ? Data
      : Handler extends HandlerByMethod<infer Data, State> ? Data
      : never,
  >(render: RouteComponent<State, Data>): typeof render;

  /** Types a middleware, or a list of them. */
  middleware<M extends Middleware<State> | Middleware<State>[]>(middleware: M): typeof middleware;

  /** Types a layout or an app wrapper. */
  layout(render: RouteComponent<State>): typeof render;
}

/** Gives the {@linkcode Define} functions for an application whose `ctx.state` is `State`. */
export function createDefine<State>(): Define<State> {
  return {
    handlers: (handlers) => handlers,
    page: (render) => render,
    middleware: (middleware) => middleware,
    layout: (render) => render,
  };
}
