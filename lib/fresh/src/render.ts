import { type ComponentChildren, Fragment, type FunctionComponent, h, type JSX } from "preact";
import { renderToString } from "preact-render-to-string";
import { jsxTemplate } from "preact/jsx-runtime";
import type { BuildCache } from "./build_cache.ts";
import type { Context, Wrappers } from "./context.ts";
import {
  bootScript,
  HEAD_MARK,
  NONCE,
  preloadLinks,
  remainingHead,
  RenderState,
  withRender,
} from "./runtime/server/preact_hooks.ts";
import { deployment } from "./runtime/shared_internal.ts";
import type { RouteComponent } from "./segments.ts";

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

const AsyncFunction = (async () => {}).constructor;

/** The wrappers, style sheets and build around a page. */
export interface PageFrame<State> extends Wrappers<State> {
  /** Style sheets to link in the head. */
  css: string[];
  /** The build that the request is answered from, or null when the application has none. */
  cache: BuildCache | null;
}

/** Renders a page inside its layouts, then inside the app wrapper, as a whole document. */
export async function renderPage<State>(
  ctx: Context<State>,
  vnode: JSX.Element | null,
  init: ResponseInit,
  frame: PageFrame<State>,
): Promise<Response> {
  let page = vnode;
  for (const layout of frame.layouts.toReversed()) {
    const inner = page;
    const wrapped = await renderRouteComponent(ctx, layout, () => inner, ctx.data);
    if (wrapped instanceof Response) return wrapped;
    page = wrapped;
  }

  let content: JSX.Element | null = page;
  const app = frame.app && await renderRouteComponent(ctx, frame.app, () => content, ctx.data);
  if (app instanceof Response) return app;

  const { basePath } = ctx.config;
  const { cache } = frame;
  const state = new RenderState(ctx.url.pathname, basePath, cache, frame.css);
  if (cache !== null) deployment.buildId = cache.buildId;
  const html = withRender(state, () => {
    let html = renderToString(page ?? h(Fragment, null));
    if (app !== null) {
      content = jsxTemplate([html]);
      html = renderToString(app);
    }
    return completeDocument(html, state);
  });

  const response = new Response(html, withContentType(init, "text/html; charset=utf-8"));
  const links = preloadLinks(state);
  if (links !== null) response.headers.append("link", links);
  return Object.assign(response, { [NONCE]: state.nonce });
}

/** Starts a page, layout or app component: an async one is awaited and may give a Response. */
export async function renderRouteComponent<State>(
  ctx: Context<State>,
  component: RouteComponent<State>,
  child: FunctionComponent,
  data: unknown,
): Promise<JSX.Element | Response> {
  ctx.Component = child;
  const props: PageProps<unknown, State> = {
    config: ctx.config,
    url: ctx.url,
    req: ctx.req,
    params: ctx.params,
    info: ctx.info,
    state: ctx.state,
    isPartial: ctx.isPartial,
    Component: child,
    error: ctx.error,
    route: ctx.route,
    data,
  };
  if (!(component instanceof AsyncFunction)) return h(component, props);
  const result: unknown = await (component as FunctionComponent<typeof props>)(props);
  return result instanceof Response ? result : h(Fragment, null, result as ComponentChildren);
}

/** The init of a response with its content type set; the given init is left as it is. */
export function withContentType(init: ResponseInit | undefined, type: string): ResponseInit {
  const headers = new Headers(init?.headers);
  headers.set("content-type", type);
  return { ...init, headers };
}

/** Adds missing parts of the document, and the script that starts the page's islands. */
function completeDocument(html: string, state: RenderState): string {
  const { rendered } = state;
  const scripts = leftoverSlots(state) + bootScript(state);
  let body = html;
  if (!rendered.body) body = `<body>${html}${scripts}</body>`;
  else if (scripts !== "") {
    const end = html.lastIndexOf("</body>");
    body = html.slice(0, end) + scripts + html.slice(end);
  }

  const head = rendered.head
    ? ""
    : `<head><meta charset="utf-8">${renderToString(remainingHead(state))}</head>`;
  const document = rendered.html
    ? body.replace(HEAD_MARK, () => head)
    : `<html>${head}${body}</html>`;
  return `<!DOCTYPE html>${document}`;
}

/** Slots that an island did not render travel in templates, which may hold more islands. */
function leftoverSlots(state: RenderState): string {
  let html = "";
  for (let id = 0; id < state.slots.length; id++) {
    const slot = state.slots[id];
    if (slot === undefined || slot.rendered) continue;
    const content = renderToString(h(Fragment, null, slot.content as ComponentChildren));
    html += `<template id="frsh-slot-${id}">${content}</template>`;
  }
  return html;
}
