/**
 * The part of Fresh 2 that this project uses, with the names and the behaviour of `@fresh/core`.
 *
 * @module
 */
export { App, type ListenOptions } from "./app.ts";
export type {
  Context,
  FreshContext,
  Island,
  WebSocketHandlers,
  WebSocketUpgradeOptions,
} from "./context.ts";
export { createDefine, type Define } from "./define.ts";
export { HttpError } from "./error.ts";
export {
  type HandlerByMethod,
  type HandlerFn,
  page,
  type PageResponse,
  type RouteData,
  type RouteHandler,
} from "./handlers.ts";
export { csp, type CSPOptions } from "./middlewares/csp.ts";
export { csrf, type CsrfOptions } from "./middlewares/csrf.ts";
export { staticFiles } from "./middlewares/static_files.ts";
export { trailingSlashes } from "./middlewares/trailing_slashes.ts";
export type { Middleware, MiddlewareFn } from "./middlewares/mod.ts";
export type { FreshConfig, ResolvedFreshConfig } from "./config.ts";
export type { PageProps } from "./render.ts";
export type { Method } from "./router.ts";
export type { LayoutConfig, Lazy, MaybeLazy, RouteConfig } from "./types.ts";
