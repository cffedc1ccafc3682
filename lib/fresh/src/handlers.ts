import type { Context } from "./context.ts";
import type { Method } from "./router.ts";

/** Returned by a handler instead of a Response to have the page component rendered. */
export interface PageResponse<T> {
  /** Handed to the component as `props.data`. */
  data: T;
  /** Headers of the rendered answer. */
  headers?: HeadersInit;
  /** Status of the rendered answer; 200 when left out. */
  status?: number;
}

/** Builds a {@linkcode PageResponse}: the component is rendered with `data`. */
export function page<T>(
  data: T,
  options?: { headers?: HeadersInit; status?: number },
): PageResponse<T>;

/** Renders the component without data. */
export function page(): PageResponse<undefined>;

export function page<T>(
  data?: T,
  options?: { headers?: HeadersInit; status?: number },
): PageResponse<T | undefined> {
  return { data, headers: options?.headers, status: options?.status };
}

/** Answers a request of one route: with a Response, or with data for the page component. */
export interface HandlerFn<Data, State> {
  (ctx: Context<State>): Response | PageResponse<Data> | Promise<Response | PageResponse<Data>>;
}

/** One handler a method. HEAD falls back to GET. */
export type HandlerByMethod<Data, State> = {
  [M in Method]?: HandlerFn<Data, State>;
};

/** The `handler` export of a route: one function for all methods, or one a method. */
export type RouteHandler<Data, State> =
  | HandlerFn<Data, State>
  | HandlerByMethod<Data, State>;

/** The type of the data that a route's handlers hand to its component. */
export type RouteData<Handler extends RouteHandler<unknown, unknown>> = Handler extends
  RouteHandler<infer Data, unknown> ? Data : never;

/** Tells an object of methods from a function or a list of functions. */
export function isHandlerByMethod<Data, State>(
  handler:
    | RouteHandler<Data, State>
    | HandlerFn<Data, State>[]
    | null
    | undefined,
): handler is HandlerByMethod<Data, State> {
  return typeof handler === "object" && handler !== null && !Array.isArray(handler);
}
