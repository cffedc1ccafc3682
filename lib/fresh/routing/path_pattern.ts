/**
 * The URLPattern pathname of a route file, from its path below `routes/` without the extension:
 * `blog/[slug]` is `/blog/:slug`. Groups such as `(site)` are left out unless `keepGroups` is set.
 *
 * @throws {SyntaxError} when parameters are adjacent, or an optional one is not a whole segment.
 */
export function patternOf(file: string, options: { keepGroups?: boolean } = {}): string {
  const parts = file.split("/");
  if (parts.at(-1) === "index") parts.pop();

  let pattern = "";
  let hasFixedPart = false;
  for (const part of parts) {
    if (part === "" || (!options.keepGroups && isGroup(part))) continue;
    const rest = /^\[\.\.\.(.+)\]$/.exec(part);
    if (rest !== null) {
      pattern += `/:${rest[1]}*`;
      continue;
    }
    const optional = /^\[\[([^[\]]+)\]\]$/.exec(part);
    if (optional !== null) {
      pattern += `{/:${optional[1]}}?`;
      continue;
    }
    hasFixedPart = true;
    pattern += "/" + segmentPattern(part, file);
  }

  if (pattern.startsWith("{/") && !hasFixedPart) {
    return pattern.replace("{/", "/{");
  }
  return pattern === "" ? "/" : pattern;
}

/**
 * Orders route files so that special files come before the routes they apply to, and exact routes
 * before parameters: `_app`, then per segment `_middleware`, other special files, `_error`,
 * `index`, literals, groups, `[param]`, `[...rest]`. A longer path comes before its prefix.
 *
 * @param a Path below `routes/` with a leading "/" and without the extension.
 * @param b The same.
 */
export function compareRouteFiles(a: string, b: string): number {
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

/**
 * The names of the segments a path goes through, from the root down. Optional parts are left out,
 * so that what applies to `/docs` applies to `/docs{/:version}?/search` as well.
 *
 * @param ownSegment Whether the last part is a segment too; a file route belongs to its folder.
 */
export function segmentsOf(pattern: string, ownSegment: boolean): string[] {
  if (pattern === "*" || pattern === "/*") return [];
  const parts = pattern.replace(/\{[^}]*\}\??/g, "").replace(/^\//, "").split("/");
  const last = parts.pop();
  if (ownSegment && last) parts.push(last);
  return parts;
}

/** Puts a base path before a pattern: the root of a mounted application is its base path itself. */
export function joinPattern(basePath: string, pattern: string): string {
  const base = basePath.replace(/\/?\*?$/, "");
  if (pattern === "*") return base + "/*";
  return base !== "" && pattern === "/" ? base : base + pattern;
}

function isGroup(part: string): boolean {
  return part.startsWith("(") && part.endsWith(")");
}

function segmentPattern(part: string, file: string): string {
  if (part.includes("][")) {
    throw new SyntaxError(
      `Invalid route pattern: "${file}". A parameter cannot follow another without text between them`,
    );
  }
  if (part.includes("[[") || part.includes("]]")) {
    throw new SyntaxError(
      `Invalid route pattern: "${file}". An optional parameter needs to be a full segment`,
    );
  }
  const pattern = part.replace(/\[([^[\]]+)\]/g, ":$1");
  if (/[[\]]/.test(pattern)) {
    throw new SyntaxError(`Invalid route pattern: "${file}"`);
  }
  return pattern;
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
