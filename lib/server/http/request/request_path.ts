import type { Context } from "fresh";
import {
  childOf,
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
