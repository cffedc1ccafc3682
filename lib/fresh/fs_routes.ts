import type { Command } from "./commands.ts";
import { type HandlerFn, isHandlerByMethod, type RouteHandler } from "./handlers.ts";
import type {
  MaybeLazy,
  MaybeLazyMiddleware,
  Route,
  RouteComponent,
  RouteConfig,
} from "./types.ts";

/** What a file below `routes/` is for. */
export type RouteFileKind =
  | "middleware"
  | "layout"
  | "app"
  | "error"
  | "notFound"
  | "route";

/** A file below `routes/`. */
export interface FsRouteFile<State> {
  /** Named in error messages. */
  id: string;
  /** What the file is for. */
  kind: RouteFileKind;
  /** Where it attaches, with groups. */
  pattern: string;
  /** The URL pattern it answers, without groups. */
  routePattern: string;
  /** The module, or a function that imports it. Special files are given as modules. */
  mod: MaybeLazy<unknown>;
}

interface RouteModule<State> {
  config?: RouteConfig;
  handlers:
    | RouteHandler<unknown, State>
    | HandlerFn<unknown, State>[]
    | undefined;
  component: RouteComponent<State> | undefined;
}

/**
 * Turns route files into the commands of an application.
 *
 * @throws {Error} naming the file, when a module exports nothing of use or a handler that takes
 * more than `ctx`.
 */
export function commandsOf<State>(
  files: FsRouteFile<State>[],
): Command<State>[] {
  return files.flatMap((file) => commandOf(file) ?? []);
}

function commandOf<State>(file: FsRouteFile<State>): Command<State> | null {
  const { kind, pattern, routePattern, mod } = file;
  if (kind === "route" && typeof mod === "function") {
    return {
      kind,
      pattern,
      ownSegment: false,
      route: async () => asRoute(file, readModule<State>(file, await mod())),
      config: { routeOverride: routePattern },
    };
  }

  const loaded = readModule<State>(file, mod);
  switch (kind) {
    case "route":
      return { kind, pattern, ownSegment: false, route: asRoute(file, loaded) };
    case "middleware": {
      const steps = middlewaresOf(file, loaded);
      return steps === null ? null : { kind, pattern, ownSegment: true, steps };
    }
    case "layout": {
      const { component, config } = loaded;
      if (loaded.handlers !== undefined) warn(file, "a layout has no handlers");
      return component &&
          { kind, pattern, ownSegment: true, component, config } || null;
    }
    case "error":
      return { kind, pattern, ownSegment: true, route: asRoute(file, loaded) };
    case "notFound":
      return { kind, route: asRoute(file, loaded) };
    case "app":
      return loaded.component === undefined ? null : { kind, component: loaded.component };
  }
}

function asRoute<State>(
  file: FsRouteFile<State>,
  loaded: RouteModule<State>,
): Route<State> {
  const { component, handlers } = loaded;
  if (Array.isArray(handlers)) {
    throw new Error(
      `Cannot load "${file.id}": a list of handlers is for middlewares only`,
    );
  }
  const config: RouteConfig = { ...loaded.config };
  if (file.kind === "route") config.routeOverride ??= file.routePattern;
  return { component, handler: handlers, config };
}

function middlewaresOf<State>(
  file: FsRouteFile<State>,
  loaded: RouteModule<State>,
): MaybeLazyMiddleware<State>[] | null {
  const found: unknown = loaded.handlers ?? loaded.component;
  if (
    isHandlerByMethod<unknown, State>(found as RouteHandler<unknown, State>)
  ) {
    warn(file, "a middleware does not support an object of methods");
    return null;
  }
  return [found ?? []].flat() as MaybeLazyMiddleware<State>[];
}

function readModule<State>(
  file: FsRouteFile<State>,
  mod: unknown,
): RouteModule<State> {
  const exports: Record<string, unknown> = typeof mod === "object" && mod !== null
    ? { ...mod }
    : {};
  const handlers = exports.handlers ?? exports.handler;
  const component = exports.default;
  const usable = ["function", "object"].includes(typeof handlers) ||
    typeof component === "function" || Array.isArray(component) ||
    typeof exports.config === "object";
  if (!usable) {
    throw new Error(
      `Cannot load "${file.id}": it exports no default, handler, handlers or config`,
    );
  }
  if (typeof handlers === "function" && handlers.length > 1) {
    throw new Error(
      `Cannot load "${file.id}": a handler takes one argument, ctx`,
    );
  }
  return { handlers, component, config: exports.config } as RouteModule<State>;
}

function warn(file: FsRouteFile<never> | { id: string }, reason: string): void {
  console.warn(`Ignored in "${file.id}": ${reason}`);
}
