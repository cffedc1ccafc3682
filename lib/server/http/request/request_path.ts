import type { Context } from "fresh";
import {
  childOf,
  encodePath,
  type EntryPath,
  isInside,
  parsePath,
  parseUrlPath,
  relativePath,
  type RequestPath,
  ROOT,
} from "../../../shared/path.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { State } from "../define.ts";
import { maxHashedPaths } from "../../../shared/schemas/choices/choices.ts";

type Addressed = Pick<Context<unknown>, "url" | "config">;

/** Whether a request's URL belongs to one of the API's calls: `/api/raw` or below it. */
export function isCall(ctx: Addressed, call: string): boolean {
  const prefix = prefixOf(ctx, call);
  return ctx.url.pathname === prefix || ctx.url.pathname.startsWith(`${prefix}/`);
}

/**
 * The path of an entry that a URL names after one of the API's calls, read from the raw pathname:
 * the framework's parameters are decoded in a way that loses "%23" and "%2F".
 *
 * @param call the part between `/api/` and the path: "resources"
 * @throws DomainError `invalid_path`; `not_found` at the address of another call
 */
export function requestPath(ctx: Addressed, call: string): RequestPath {
  if (!isCall(ctx, call)) {
    throw new DomainError("not_found", "Cannot answer the request: not found");
  }
  return parseUrlPath(ctx.url.pathname.slice(prefixOf(ctx, call).length));
}

/** What matches the addresses that end with the path of an entry: the call, and the path. */
const pathCalls: RegExp[] = [];

/**
 * Declares a route whose address ends with the path of an entry, which requests may then have in
 * `?path=` instead. Routes are loaded before any request is served.
 *
 * @param pattern of the route, with `/*` or `/*?` at its end
 * @param further addresses that the route answers likewise, without the path
 * @returns the pattern
 */
export function pathRoute(pattern: string, ...further: string[]): string {
  const call = pattern.replace(/\/\*\??$/, "").replace(/:\w+/g, "[^/]+");
  for (const each of [...further, call]) pathCalls.push(new RegExp(`^(${each})(/.*)?$`));
  return pattern;
}

/**
 * Puts the path that a request has in `?path=` behind the call in its address, where it belongs:
 * generated clients encode the slashes of a path in an address. Does nothing if the address names
 * an entry itself.
 *
 * @throws DomainError `invalid_path`
 */
export function namePathInAddress(req: Request, basePath: string): void {
  const [, text] = /[?&]path=([^&]*)/.exec(req.url) ?? [];
  if (text === undefined) return;
  const [call, after = "/"] = callOf(req, basePath);
  if (call !== undefined && after === "/") readdress(req, call, parsePath(decoded(text)));
}

/**
 * Takes the encoded slashes in the address of an entry for slashes, before any other reads the
 * address: some apps for File Browser encode a path as one segment. Does nothing without any.
 *
 * @throws DomainError `invalid_path`, also for a `..` between encoded slashes
 */
export function decodeSlashes(req: Request, basePath: string): void {
  if (!/%2f/i.test(req.url)) return;
  const [call, after = "/"] = callOf(req, basePath);
  if (call === undefined || !/%2f/i.test(after)) return;
  readdress(req, call, parseUrlPath(after.replaceAll(/%2f/gi, "/")));
}

/** The call in the address of a request with the base URL, and what follows it; nothing if none. */
function callOf({ url }: Request, basePath: string): [call?: string, after?: string] {
  const { pathname } = new URL(url);
  if (!pathname.startsWith(basePath)) return [];
  for (const pattern of pathCalls) {
    const [, call, after] = pattern.exec(pathname.slice(basePath.length)) ?? [];
    if (call !== undefined) return [basePath + call, after];
  }
  return [];
}

function readdress(req: Request, call: string, { path, folder }: RequestPath): void {
  const url = new URL(req.url);
  url.pathname = call + encodePath(path, { folder });
  setUrl(req, url.href);
}

/** Gives a request another URL, absolute, for all that read it later: it is routed by it. */
export function setUrl(req: Request, url: string): void {
  Object.defineProperty(req, "url", { value: url, configurable: true });
}

/** A value of a query, decoded; in it, `+` is a space. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new DomainError("invalid_path", `Cannot read the path: "${text}" is a bad escape`);
  }
}

function prefixOf(ctx: Addressed, call: string): string {
  return `${ctx.config.basePath}/api/${call}`;
}

const callPath = childOf(ROOT, "recursive");

/** Options that only describing an entry takes: they tell an entry called "recursive" apart. */
const describeOptions = [
  ...["offset", "limit", "around", "startsWith", "filter", "sort", "order", "checksum"],
];

/**
 * The folder that `GET /api/resources/recursive/{path}` is about; null for a request that describes
 * an entry. File Browser reserves the name "recursive" at the root for this call. Here an entry
 * that has it can still be described: by HEAD, or with an option of the description.
 *
 * @param path the path after `/api/resources`
 */
export function recursiveFolder(
  { req, url }: Pick<Context<State>, "req" | "url">,
  path: EntryPath,
): EntryPath | null {
  if (req.method !== "GET" || !isInside(path, callPath)) return null;
  if (describeOptions.some((name) => url.searchParams.has(name))) return null;
  return relativePath(path, callPath);
}

/**
 * The `paths` of a request for ThumbHashes, each as it was sent and as it was read.
 *
 * @throws DomainError `invalid_body` for more than 200, or for what is no list of texts;
 * `invalid_path`
 */
export function hashedPaths(
  { paths }: Record<string, unknown>,
): [sent: string, path: EntryPath][] {
  if (!Array.isArray(paths) || paths.length > maxHashedPaths) {
    throw new DomainError(
      "invalid_body",
      `Cannot read paths: it must be a list of at most ${maxHashedPaths}`,
    );
  }
  return paths.map((path: unknown) => {
    if (typeof path === "string") return [path, parsePath(path).path];
    throw new DomainError("invalid_body", "Cannot read paths: it must be a list of texts");
  });
}
