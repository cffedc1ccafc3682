import { type ComponentType, type FunctionComponent, isValidElement, type JSX } from "preact";
import type { BuildCache } from "./build_cache.ts";
import type { ResolvedFreshConfig } from "./config.ts";
import { PARTIAL_SEARCH_PARAM } from "./constants.ts";
import { HttpError } from "./error.ts";
import { renderPage, withContentType } from "./render.ts";
import type { RouteComponent } from "./segments.ts";
import type { LayoutConfig } from "./types.ts";

/** A component that is also sent to the browser. */
export interface Island {
  /** The path of its script, without the base path. */
  file: string;
  /** Its name, unique among the islands of the application. */
  name: string;
  /** The name under which its script exports it. */
  exportName: string;
  /** The component. */
  fn: ComponentType;
  /** The style sheets it needs. */
  css: string[];
}

/** The islands of an application, by component. */
export type ServerIslandRegistry = Map<unknown, Island>;

/** @deprecated Use {@linkcode Context}. */
export type FreshContext<State = unknown> = Context<State>;

/** The wrappers in force at a point of the chain. */
export interface Wrappers<State> {
  /** The app wrapper, or null. */
  app: RouteComponent<State> | null;
  /** The layouts, outermost first. */
  layouts: RouteComponent<State>[];
}

/** The inputs of a {@linkcode Context}. */
export interface ContextInit<State> {
  req: Request;
  url: URL;
  info: Deno.ServeHandlerInfo;
  route: string | null;
  params: Record<string, string>;
  config: ResolvedFreshConfig;
  next: () => Promise<Response>;
  cache: BuildCache | null;
}

/** The wrappers of a request; layouts and app are added to it on the way in. */
export let wrappersOf: <State>(ctx: Context<State>) => Wrappers<State>;

/** The build a request is answered from, or null when the application has none. */
export let buildCacheOf: <State>(ctx: Context<State>) => BuildCache | null;

/** Links the style sheets in the head of the page that this request renders. */
export let addStyles: <State>(ctx: Context<State>, css: string[] | undefined) => void;

/** Everything about one request, handed to each middleware, handler and component. */
export class Context<State> {
  /** The request as it came in. */
  req: Request;
  /** The URL of the request; runs of "/" in its path are one "/". */
  readonly url: URL;
  /** The pattern that matched, as URLPattern writes it (`/a/*?` for `/a{/*}?`), or null. */
  readonly route: string | null;
  /** The values of the pattern's parameters, decoded with decodeURI; an unmatched optional is "". */
  readonly params: Record<string, string>;
  /** Starts empty for each request; middlewares fill it. */
  readonly state: State = {} as State;
  /** The settings of the application. */
  readonly config: ResolvedFreshConfig;
  /** The connection: `remoteAddr` is the peer of the socket. */
  readonly info: Deno.ServeHandlerInfo;
  /** Whether the request is for parts of the page only. */
  readonly isPartial: boolean;
  /** The error thrown by an inner handler, or null. */
  error: unknown = null;
  /** Data from middlewares for components that have no handler of their own. */
  data: unknown = undefined;
  /** Calls the rest of the chain. */
  next: () => Promise<Response>;
  /** The content that a layout or an app wrapper surrounds. */
  Component!: FunctionComponent;

  #cache: BuildCache | null;
  #wrappers: Wrappers<State> = { app: null, layouts: [] };
  #css: string[] = [];

  static {
    wrappersOf = (ctx) => ctx.#wrappers;
    buildCacheOf = (ctx) => ctx.#cache;
    addStyles = (ctx, css) => {
      for (const href of css ?? []) {
        if (!ctx.#css.includes(href)) ctx.#css.push(href);
      }
    };
  }

  constructor(init: ContextInit<State>) {
    this.req = init.req;
    this.url = init.url;
    this.info = init.info;
    this.route = init.route;
    this.params = init.params;
    this.config = init.config;
    this.next = init.next;
    // Parsing no query is not free.
    this.isPartial = init.url.search !== "" && init.url.searchParams.has(PARTIAL_SEARCH_PARAM);
    this.#cache = init.cache;
  }

  /**
   * Answers with a redirect. What browsers read as "//" at the start of a path is collapsed to one
   * "/", so a path cannot leave the site (CWE-601); an absolute URL is passed on unchecked.
   */
  redirect(pathOrUrl: string, status = 302): Response {
    let location = pathOrUrl;
    if (pathOrUrl.startsWith("/")) {
      const end = pathOrUrl.search(/[?#]/);
      const path = end === -1 ? pathOrUrl : pathOrUrl.slice(0, end);
      const withinSite = path.replace(/^\/[\\/\t\r\n]+/, "/").replace(/\/+/g, "/");
      location = withinSite + pathOrUrl.slice(path.length);
    }
    return new Response(null, { status, headers: { location } });
  }

  /** Renders markup inside the layouts and the app wrapper that are in force. */
  render(
    vnode: JSX.Element | null,
    init: ResponseInit = {},
    config: LayoutConfig = {},
  ): Promise<Response> {
    if (vnode !== null && !isValidElement(vnode)) {
      return Promise.reject(new Error("Cannot render a page: the value is not JSX"));
    }
    return renderPage(this, vnode, init, {
      app: config.skipAppWrapper ? null : this.#wrappers.app,
      layouts: config.skipInheritedLayouts ? [] : this.#wrappers.layouts,
      css: this.#css,
      cache: this.#cache,
    });
  }

  /** Answers with plain text. */
  text(content: string, init?: ResponseInit): Response {
    return new Response(content, init);
  }

  /** Answers with HTML. */
  html(content: string, init?: ResponseInit): Response {
    return new Response(
      content,
      withContentType(init, "text/html; charset=utf-8"),
    );
  }

  /** Answers with JSON. */
  json(content: unknown, init?: ResponseInit): Response {
    return Response.json(content, init);
  }

  /** Streams the pieces of an iterable, or of a function that returns one. */
  stream<Piece extends string | Uint8Array>(
    source: StreamSource<Piece>,
    init?: ResponseInit,
  ): Response {
    return new Response(streamOf(source), init);
  }

  /**
   * Turns the request into a WebSocket. Without handlers it returns the socket and the response;
   * with handlers the response alone.
   *
   * @throws {HttpError} 400 when the request does not ask for an upgrade.
   */
  upgrade(options?: WebSocketUpgradeOptions): { socket: WebSocket; response: Response };
  upgrade(handlers: WebSocketHandlers, options?: WebSocketUpgradeOptions): Response;
  upgrade(
    first?: WebSocketHandlers | WebSocketUpgradeOptions,
    options?: WebSocketUpgradeOptions,
  ): { socket: WebSocket; response: Response } | Response {
    if (isWebSocketHandlers(first)) {
      return upgradeManaged(this.req, first, options);
    }
    return upgradeRequest(this.req, first);
  }
}

/** The input of {@linkcode streamOf}: an iterable, or a function that returns one. */
export type StreamSource<Piece> =
  | Iterable<Piece>
  | AsyncIterable<Piece>
  | (() => Iterable<Piece> | AsyncIterable<Piece>);

/** Streams the pieces of an iterable; text is encoded as UTF-8. */
export function streamOf<Piece extends string | Uint8Array>(
  source: StreamSource<Piece>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const pieces = typeof source === "function" ? source() : source;
  return ReadableStream.from(pieces).pipeThrough(
    new TransformStream<Piece, Uint8Array<ArrayBuffer>>({
      transform(piece, controller) {
        controller.enqueue(
          typeof piece === "string" ? encoder.encode(piece) : new Uint8Array(piece),
        );
      },
    }),
  );
}

/** Callbacks of a WebSocket that the framework opened. */
export interface WebSocketHandlers {
  /** The connection is open. */
  open?(socket: WebSocket): void;
  /** A message came in. */
  message?(socket: WebSocket, event: MessageEvent): void;
  /** The connection is closed. */
  close?(socket: WebSocket, code: number, reason: string): void;
  /** The connection failed. */
  error?(socket: WebSocket, event: Event | ErrorEvent): void;
}

/** Passed on to the runtime when a request becomes a WebSocket. */
export interface WebSocketUpgradeOptions {
  /** Seconds without a pong after which the connection is closed. */
  idleTimeout?: number;
  /** The sub-protocol to agree on. */
  protocol?: string;
}

/** Tells handlers from options: handlers have at least one function. */
function isWebSocketHandlers(value: unknown): value is WebSocketHandlers {
  if (typeof value !== "object" || value === null) return false;
  const names = ["open", "message", "close", "error"];
  return Object.entries(value).some(([name, member]) =>
    names.includes(name) && typeof member === "function"
  );
}

/**
 * Upgrades a request.
 *
 * @throws {HttpError} 400 when the request does not ask for an upgrade.
 */
function upgradeRequest(
  req: Request,
  options?: WebSocketUpgradeOptions,
): { socket: WebSocket; response: Response } {
  if (req.headers.get("upgrade")?.toLowerCase() !== "websocket") {
    throw new HttpError(400, "Expected a WebSocket upgrade request");
  }
  return Deno.upgradeWebSocket(req, options);
}

/** Upgrades a request and wires its handlers. */
function upgradeManaged(
  req: Request,
  handlers: WebSocketHandlers,
  options?: WebSocketUpgradeOptions,
): Response {
  const { socket, response } = upgradeRequest(req, options);
  socket.addEventListener("open", () => handlers.open?.(socket));
  socket.addEventListener("message", (event) => handlers.message?.(socket, event));
  socket.addEventListener("close", (event) => handlers.close?.(socket, event.code, event.reason));
  socket.addEventListener("error", (event) => handlers.error?.(socket, event));
  return response;
}
