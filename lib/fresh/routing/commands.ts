import type {
  LayoutConfig,
  MaybeLazy,
  MaybeLazyMiddleware,
  Method,
  Middleware,
  Route,
  RouteComponent,
  RouteConfig,
} from "../types.ts";

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
