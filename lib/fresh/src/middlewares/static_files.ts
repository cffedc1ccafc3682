import type { StaticFile } from "../build_cache.ts";
import { buildCacheOf, type Context } from "../context.ts";
import { ASSET_CACHE_BUST_KEY } from "../constants.ts";
import type { Middleware } from "./mod.ts";

const FOR_EVER = "public, max-age=31536000, immutable";

const NEVER = "no-cache, no-store, max-age=0, must-revalidate";

/** Serves the files of `static/` and the scripts of the islands, as they were when the app was built. */
export function staticFiles<State>(): Middleware<State> {
  return async function staticFiles(ctx) {
    const cache = buildCacheOf(ctx);
    const pathname = pathBelow(ctx.config.basePath, ctx.url.pathname);
    if (cache === null || pathname === null || pathname === "/") {
      return await ctx.next();
    }

    const file = await cache.staticFile(pathname);
    if (file !== null) return await answer(ctx, file, cache.buildId);
    if (pathname === "/favicon.ico") return new Response(null, { status: 404 });
    return await ctx.next();
  };
}

/** The decoded path below the base path; null when it is elsewhere or badly encoded. */
function pathBelow(basePath: string, pathname: string): string | null {
  if (pathname !== basePath && !pathname.startsWith(basePath + "/")) {
    return null;
  }
  try {
    return decodeURIComponent(pathname.slice(basePath.length)) || "/";
  } catch {
    return null;
  }
}

async function answer<State>(
  ctx: Context<State>,
  file: StaticFile,
  buildId: string,
): Promise<Response> {
  const { req, url, config } = ctx;
  if (req.method !== "GET" && req.method !== "HEAD") {
    return new Response("Method Not Allowed", { status: 405 });
  }

  const key = url.searchParams.get(ASSET_CACHE_BUST_KEY);
  if (key !== null && key !== buildId) {
    url.searchParams.delete(ASSET_CACHE_BUST_KEY);
    return new Response(null, { status: 307, headers: { location: url.pathname + url.search } });
  }

  const headers = new Headers({
    "content-type": file.contentType,
    etag: `W/"${file.hash}"`,
    vary: "If-None-Match",
  });
  if (isKnown(req.headers.get("if-none-match"), file.hash)) {
    return new Response(null, { status: 304, headers });
  }

  const isLocked = key !== null ||
    url.pathname.startsWith(`${config.basePath}/_fresh/js/${buildId}/`);
  const mayKeep = isLocked && config.mode === "production";
  headers.set("cache-control", mayKeep ? FOR_EVER : NEVER);

  const { size, body } = await file.open();
  headers.set("content-length", String(size));
  if (req.method === "GET") return new Response(body, { headers });
  if (body instanceof ReadableStream) await body.cancel();
  return new Response(null, { headers });
}

/** Whether If-None-Match names the content, weakly or strongly (RFC 9110, 13.1.2). */
function isKnown(ifNoneMatch: string | null, hash: string): boolean {
  const tags = ifNoneMatch?.split(",") ?? [];
  return tags.some((tag) => tag.trim().replace(/^(?:W\/)?"(.*)"$/, "$1") === hash);
}
