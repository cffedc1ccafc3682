import type { Command } from "./commands.ts";
import type { RouteHandler } from "./handlers.ts";
import type { MaybeLazyMiddleware } from "./middlewares/mod.ts";
import type { RouteComponent } from "./segments.ts";
import type { MaybeLazy, Route, RouteConfig } from "./types.ts";

/** The purpose of a file below `routes/`. */
export type RouteFileKind =
  | "middleware"
  | "layout"
  | "app"
  | "error"
  | "notFound"
  | "route";

/** A file below `routes/`. */
export interface FsRouteFile {
  /** Named in error messages. */
  id: string;
  /** The purpose of the file. */
  kind: RouteFileKind;
  /** The pattern at which it attaches, with groups. */
  pattern: string;
  /** The URL pattern it answers, without groups. */
  routePattern: string;
  /** The module, or a function that imports it. Special files are given as modules. */
  mod: MaybeLazy<unknown>;
}

/** The exports of a route file. */
interface ModuleExports<State> {
  default?: RouteComponent<State> | MaybeLazyMiddleware<State>[];
  handler?: RouteModule<State>["handlers"];
  handlers?: RouteModule<State>["handlers"];
  config?: RouteConfig;
}

/** The exports of a route file, told apart. */
interface RouteModule<State> {
  config: RouteConfig | undefined;
  handlers: RouteHandler<unknown, State> | MaybeLazyMiddleware<State>[] | undefined;
  component: RouteComponent<State> | undefined;
}

/**
 * Turns route files into the commands of an application.
 *
 * @throws {Error} naming the file, when a module exports nothing of use or a handler that takes
 * more than `ctx`.
 */
export function fsItemsToCommands<State>(files: FsRouteFile[]): Command<State>[] {
  return files.flatMap((file) => commandOf(file) ?? []);
}

function commandOf<State>(file: FsRouteFile): Command<State> | null {
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
      if (component === undefined) return null;
      return { kind, pattern, ownSegment: true, component, config };
    }
    case "error":
      return { kind, pattern, ownSegment: true, route: asRoute(file, loaded) };
    case "notFound":
      return { kind, route: asRoute(file, loaded) };
    case "app":
      return loaded.component === undefined ? null : { kind, component: loaded.component };
  }
}

function asRoute<State>(file: FsRouteFile, loaded: RouteModule<State>): Route<State> {
  const { component, handlers } = loaded;
  if (Array.isArray(handlers)) {
    throw new Error(`Cannot load "${file.id}": a list of handlers is for middlewares only`);
  }
  const config: RouteConfig = { ...loaded.config };
  if (file.kind === "route") config.routeOverride ??= file.routePattern;
  return { component, handler: handlers, config };
}

function middlewaresOf<State>(
  file: FsRouteFile,
  { handlers, component }: RouteModule<State>,
): MaybeLazyMiddleware<State>[] | null {
  if (Array.isArray(handlers)) return handlers;
  if (typeof handlers === "object") {
    warn(file, "a middleware does not support an object of methods");
    return null;
  }
  const only = handlers ?? component;
  return only === undefined ? null : [only as MaybeLazyMiddleware<State>];
}

function readModule<State>(file: FsRouteFile, mod: unknown): RouteModule<State> {
  const exports: ModuleExports<State> = Object(mod);
  const { default: main, config } = exports;
  const handlers = exports.handlers ?? exports.handler ?? (Array.isArray(main) ? main : undefined);
  const isUsable = ["function", "object"].includes(typeof handlers) ||
    typeof main === "function" || typeof config === "object";
  if (!isUsable) {
    throw new Error(`Cannot load "${file.id}": it exports no default, handler, handlers or config`);
  }
  if (typeof handlers === "function" && handlers.length > 1) {
    throw new Error(`Cannot load "${file.id}": a handler takes one argument, ctx`);
  }
  return { handlers, config, component: typeof main === "function" ? main : undefined };
}

function warn(file: FsRouteFile, reason: string): void {
  console.warn(`Ignored in "${file.id}": ${reason}`);
}

/**
 * Orders route files so that special files come before the routes they apply to, and exact routes
 * before parameters: `_app`, then per segment `_middleware`, other special files, `_error`,
 * `index`, literals, groups, `[param]`, `[...rest]`. A longer path comes before its prefix.
 *
 * @param a Path below `routes/` with a leading "/" and without the extension.
 * @param b The same.
 */
export function sortRoutePaths(a: string, b: string): number {
  const appA = a.endsWith("/_app");
  const appB = b.endsWith("/_app");
  if (appA !== appB) return appA ? -1 : 1;

  const length = Math.min(a.length, b.length);
  let segmentStart = true;
  for (let i = 0; i < length; i++) {
    const x = a.charAt(i);
    const y = b.charAt(i);
    if (x === "/" || y === "/") {
      if (x !== y) return x === "/" ? -1 : 1;
      segmentStart = true;
      continue;
    }
    if (segmentStart) {
      segmentStart = false;
      const difference = rankAt(b, i) - rankAt(a, i);
      if (difference !== 0) return difference;
    }
    if (x !== y) return x < y ? -1 : 1;
  }
  return b.length - a.length;
}

/** The sort rank of a segment: higher ranks come first. */
function rankAt(path: string, start: number): number {
  const rest = path.slice(start);
  if (rest.startsWith("_")) {
    return rest[1] === "m" ? 7 : rest[1] === "e" ? 5 : 6;
  }
  if (rest === "index") return 4;
  if (rest.startsWith("[...")) return 0;
  if (rest.startsWith("[")) return 1;
  return rest.startsWith("(") ? 2 : 3;
}
