/**
 * The part of Fresh 2 that this project uses, with the names and the behaviour of `@fresh/core`.
 *
 * @module
 */
export { App } from "./app.ts";
export type { Context, FreshContext } from "./context.ts";
export { createDefine, type Define } from "./define.ts";
export { HttpError } from "./error.ts";
export {
  type HandlerByMethod,
  type HandlerFn,
  page,
  type PageResponse,
  type RouteData,
  type RouteHandler,
} from "./routing/handlers.ts";
export type { Island } from "./island.ts";
export type { ListenOptions } from "./listen.ts";
export { csp, type CSPOptions } from "./middlewares/csp.ts";
export { csrf, type CsrfOptions } from "./middlewares/csrf.ts";
export { staticFiles } from "./middlewares/static_files.ts";
export { trailingSlashes } from "./middlewares/trailing_slashes.ts";
export type {
  FreshConfig,
  LayoutConfig,
  Lazy,
  MaybeLazy,
  Method,
  Middleware,
  MiddlewareFn,
  PageProps,
  ResolvedFreshConfig,
  RouteConfig,
} from "./types.ts";
export type { WebSocketHandlers, WebSocketUpgradeOptions } from "./websocket.ts";
