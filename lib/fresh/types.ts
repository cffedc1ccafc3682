import type { AnyComponent } from "preact";
import type { Context } from "./context.ts";
import type { RouteHandler } from "./routing/handlers.ts";

/** The request methods a route can answer. */
export type Method =
  | "HEAD"
  | "GET"
  | "POST"
  | "PATCH"
  | "PUT"
  | "DELETE"
  | "OPTIONS";

/** All of {@linkcode Method}, in the order in which a route for every method registers them. */
export const METHODS: readonly Method[] = [
  "GET",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "PATCH",
  "POST",
  "PUT",
];

/** Settings of an application. */
export interface FreshConfig {
  /** The path the application lives under, such as `/files`; empty for the root of the site. */
  basePath?: string;
  /** `production` unless said otherwise; the builder sets it for a built application. */
  mode?: "development" | "production";
  /** Makes `ctx.url` honour X-Forwarded-Proto and X-Forwarded-Host. Only behind a proxy that sets them. */
  trustProxy?: boolean;
}

/** The settings in force, with every default filled in. */
export interface ResolvedFreshConfig {
  /** The folder of the application, or `.` before a build is attached. */
  root: string;
  /** The path the application lives under; empty for the root of the site. */
  basePath: string;
  /** Whether this is the development server. */
  mode: "development" | "production";
  /** Whether the X-Forwarded headers are believed. */
  trustProxy: boolean;
}

/** The `config` of a layout file. */
export interface LayoutConfig {
  /** Leaves out the layouts of the folders above. */
  skipInheritedLayouts?: boolean;
  /** Leaves out the app wrapper. */
  skipAppWrapper?: boolean;
}

/** The `config` of a route file. */
export interface RouteConfig extends LayoutConfig {
  /** A URLPattern pathname that replaces the one derived from the file name. */
  routeOverride?: string;
  /** The methods a lazily loaded route is registered for; all of them when left out. */
  methods?: "ALL" | Method[];
}

/** A function that returns the value when it is first needed. */
export type Lazy<T> = () => Promise<T>;

/** A value, or a function that returns it when it is first needed. */
export type MaybeLazy<T> = T | Lazy<T>;

/** Answers a request, or hands it on with `ctx.next()`. */
export type Middleware<State> = (ctx: Context<State>) => Response | Promise<Response>;

/** @deprecated Use {@linkcode Middleware}. */
export type MiddlewareFn<State> = Middleware<State>;

/** A middleware, or an async function that returns one the first time it is called. */
export type MaybeLazyMiddleware<State> = (
  ctx: Context<State>,
) => Response | Promise<Response | Middleware<State>>;

/** The props of a page, layout, error or app component. */
export type PageProps<Data = unknown, State = unknown> =
  & Pick<
    Context<State>,
    | "config"
    | "url"
    | "req"
    | "params"
    | "info"
    | "state"
    | "isPartial"
    | "Component"
    | "error"
    | "route"
  >
  & {
    /** The handler's data for the page. */
    data: Data;
  };

/**
 * A component of a page, layout, error route or app wrapper. It may be async, and may give a
 * Response instead of markup.
 */
export type RouteComponent<State, Data = unknown> = AnyComponent<PageProps<Data, State>>;

/** A route registered in code. */
export interface Route<State> {
  /** Rendered when the handler returns data. */
  component?: RouteComponent<State>;
  /** Settings of the route. */
  config?: RouteConfig;
  /** Answers the request, or gives the data for the component. */
  handler?: RouteHandler<unknown, State>;
  /** Style sheets to link in the head of the page. */
  css?: string[];
}
