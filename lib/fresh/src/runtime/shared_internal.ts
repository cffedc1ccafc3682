import { ASSET_CACHE_BUST_KEY } from "../constants.ts";
import { type ComponentChildren, type ComponentType, Fragment, h, type JSX } from "preact";

/** The running build. */
export interface Deployment {
  /** The id of the build, for the URLs of static files. */
  buildId: string;
  /** In the browser, the path the application lives under. */
  basePath: string;
}

const SCRIPT_PATH = /^(.*)\/_fresh\/js\/([^/]+)\/[^/]+$/;

/** The running build. In the browser both parts come from the address of the script. */
export const deployment: Deployment = typeof document === "undefined"
  ? { buildId: crypto.randomUUID(), basePath: "" }
  : fromScript(import.meta.url);

function fromScript(url: string): Deployment {
  const [, basePath = "", buildId = ""] = SCRIPT_PATH.exec(new URL(url).pathname) ?? [];
  return { buildId, basePath };
}

/**
 * The URL of a static file, tied to the running build: browsers may keep the answer for a year.
 * Only paths that start with one "/" are changed. The base path is the caller's to put before them:
 * `asset(config.basePath + "/a.css")`.
 */
export function asset(path: string): string {
  return assetInternal(path, deployment.buildId);
}

/** Applies {@linkcode asset} to each URL of a `srcset` attribute; an unusual one is left alone. */
export function assetSrcSet(srcset: string): string {
  if (srcset.includes("(")) return srcset;
  const candidates = srcset.split(",");
  if (candidates.some((candidate) => candidate.trim() === "")) return srcset;
  return candidates.map((candidate) => candidate.replace(/\S+/, asset)).join(",");
}

/** Applies {@linkcode asset} to the `src` and `srcset` of a picture, unless it opts out. */
export function lockSources(props: Record<string, unknown>): Record<string, unknown> {
  if (props["data-fresh-disable-lock"]) return props;
  const locked = { ...props };
  if (typeof props.src === "string") locked.src = asset(props.src);
  for (const name of ["srcset", "srcSet"]) {
    const value = props[name];
    if (typeof value === "string") locked[name] = assetSrcSet(value);
  }
  return locked;
}

/** Ties a path to a build; other URLs are returned unchanged. */
export function assetInternal(path: string, buildId: string): string {
  if (!path.startsWith("/") || path.startsWith("//")) return path;
  const url = URL.parse(path, "http://localhost");
  if (url === null || url.searchParams.has(ASSET_CACHE_BUST_KEY)) return path;

  url.searchParams.set(ASSET_CACHE_BUST_KEY, buildId);
  return url.pathname + url.search + url.hash;
}

/** The page that links are compared with. */
export interface LinkContext {
  /** The path of the page. */
  pathname: string;
}

/**
 * The attributes that mark a link to the page itself or to a folder above it. A link that sets
 * `aria-current` keeps its own.
 */
export function activeLinkAttributes(
  props: Record<string, unknown>,
  page: LinkContext | null,
): Record<string, string> {
  const { href } = props;
  if (page === null || typeof href !== "string" || !href.startsWith("/")) {
    return {};
  }
  const target = URL.parse(href, "http://localhost");
  if (target === null) return {};

  const here = withoutTrailingSlash(page.pathname);
  const there = withoutTrailingSlash(target.pathname);
  if (here === there) return mark("data-current", "page", props);
  if (there === "/" || here.startsWith(there + "/")) {
    return mark("data-ancestor", "true", props);
  }
  return {};
}

function mark(
  attribute: string,
  current: string,
  props: Record<string, unknown>,
): Record<string, string> {
  if (props["aria-current"] !== undefined) return { [attribute]: "true" };
  return { [attribute]: "true", "aria-current": current };
}

function withoutTrailingSlash(path: string): string {
  return path !== "/" && path.endsWith("/") ? path.slice(0, -1) : path;
}

type Props = Record<string, unknown>;

let making = false;

/** Creates an element that the hooks of this package leave as it is. */
export function plainElement(type: string | ComponentType<Props>, props: Props): JSX.Element {
  making = true;
  try {
    return typeof type === "string" ? h(type, props) : h(type, props);
  } finally {
    making = false;
  }
}

/** Whether the element that is being created is a plain one. */
export function isPlainElement(): boolean {
  return making;
}

/** The subject that a pair of comments delimits. */
export type Marker =
  | { kind: "island"; name: string; index: number; key: string }
  | { kind: "slot"; id: number };

/** Puts the comments around server-rendered markup that the browser finds again. */
export function delimit(marker: Marker, children: ComponentChildren): JSX.Element {
  return h(Fragment, null, comment(textOf(marker)), children, comment(`/frsh:${marker.kind}`));
}

/** Reads the text of an opening comment; null when it is not one of ours. */
export function readMarker(text: string): Marker | null {
  const [prefix, kind, first = "", second = "", key = ""] = text.split(":");
  if (prefix !== "frsh") return null;
  if (kind === "slot") return { kind, id: Number(first) };
  if (kind !== "island") return null;
  return { kind, name: first, index: Number(second), key: decodeURIComponent(key) };
}

/** Whether the text of a comment closes a marker of this kind. */
export function closes(text: string, kind: Marker["kind"]): boolean {
  return text === `/frsh:${kind}`;
}

function textOf(marker: Marker): string {
  if (marker.kind === "slot") return `frsh:slot:${marker.id}`;
  // A key could hold "-->", which would end the comment.
  return `frsh:island:${marker.name}:${marker.index}:${encodeURIComponent(marker.key)}`;
}

function comment(text: string): JSX.Element {
  return h(Fragment, { UNSTABLE_comment: text } as Record<string, unknown>);
}

/**
 * Numbers the ids that `useId` makes below an element, the same on the server and in the browser.
 * Preact counts from zero in each root, so that the ids of two islands would clash.
 */
export function numberIds(element: JSX.Element, number: number): JSX.Element {
  return Object.assign(element, { __m: [number, 0] });
}
