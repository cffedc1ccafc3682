import type { RouteHandler } from "./handlers.ts";
import type { Method } from "./router.ts";
import type { RouteComponent } from "./segments.ts";

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
