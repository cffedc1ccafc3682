/** The request methods a route can answer. */
export type Method =
  | "HEAD"
  | "GET"
  | "POST"
  | "PATCH"
  | "PUT"
  | "DELETE"
  | "OPTIONS";

/** All of {@linkcode Method}, in the order in which a route for every method registers them. */
export const METHODS: readonly Method[] = [
  "GET",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "PATCH",
  "POST",
  "PUT",
];

/** The router's result for one request. */
export interface Match<T> {
  /** The item of the matched pattern and method, or null; undefined for an unknown method there. */
  item: T | null | undefined;
  /**
   * The matched pattern as URLPattern writes it (`/a/*?` for `/a{/*}?`), whether or not it answers
   * the method; null when no pattern matches.
   */
  pattern: string | null;
  /** The values of the pattern's parameters. */
  params: Record<string, string>;
}

interface Entry<T> {
  /** As URLPattern writes it. */
  pattern: string;
  /** Every path that it matches begins with this: comparing it is much faster than matching. */
  prefix: string;
  /** It matches the path `prefix`, and all below that. */
  isTree: boolean;
  /** The pattern as an expression, for one that {@linkcode expressionOf} can write. */
  expression: Expression | null;
  matcher: URLPattern | null;
  items: Map<Method, T>;
}

/** A pattern as an expression, with the names of its groups: "0" for what `*` matches. */
interface Expression {
  regExp: RegExp;
  names: string[];
}

const HAS_SYNTAX = /[*:{}+?()]/;

/**
 * Maps method and path to an item. Exact paths are looked up first, then patterns are tried in the
 * order they were added; the first that matches the path decides, even when it lacks the method.
 */
export class UrlPatternRouter<T> {
  #exact = new Map<string, Entry<T>>();
  #patterns = new Map<string, Entry<T>>();

  /** Registers an item; the first one for a method and pattern stays. */
  add(method: Method, pattern: string, item: T): void {
    const { items } = this.#entry(pattern);
    if (!items.has(method)) items.set(method, item);
  }

  /** Registers an item for all of {@linkcode METHODS}. */
  addAll(pattern: string, item: T): void {
    for (const method of METHODS) this.add(method, pattern, item);
  }

  #entry(pattern: string): Entry<T> {
    const isPattern = HAS_SYNTAX.test(pattern);
    const entries = isPattern ? this.#patterns : this.#exact;
    let entry = entries.get(pattern);
    if (entry === undefined) {
      const matcher = isPattern ? new URLPattern({ pathname: pattern }) : null;
      entry = {
        pattern: matcher?.pathname ?? pattern,
        ...prefixOf(pattern),
        expression: expressionOf(pattern),
        matcher,
        items: new Map(),
      };
      entries.set(pattern, entry);
    }
    return entry;
  }

  /**
   * The methods that a pattern of {@linkcode match} answers, for the `Allow` header; none for one
   * that was registered in another spelling than URLPattern's.
   */
  getAllowedMethods(pattern: string): string[] {
    const entry = this.#exact.get(pattern) ?? this.#patterns.get(pattern);
    return entry === undefined ? [] : [...entry.items.keys()];
  }

  /**
   * Finds the item for a request. HEAD falls back to GET.
   *
   * @throws {URIError} when a parameter has a malformed escape
   */
  match(method: string, url: URL): Match<T> {
    const params: Record<string, string> = Object.create(null);
    const exact = this.#matchExact(url.pathname);
    if (exact !== undefined) {
      return { item: itemFor(exact, method), pattern: exact.pattern, params };
    }

    for (const entry of this.#patterns.values()) {
      const groups = groupsOf(entry, url.pathname);
      if (groups === null) continue;
      const item = itemFor(entry, method);
      if (item !== null) decodeGroups(groups, params);
      return { item, pattern: entry.pattern, params };
    }
    return { item: null, pattern: null, params };
  }

  #matchExact(pathname: string): Entry<T> | undefined {
    const entry = this.#exact.get(pathname);
    if (entry !== undefined || pathname === "/") return entry;
    return this.#exact.get(pathname.endsWith("/") ? pathname.slice(0, -1) : pathname + "/");
  }
}

/** The plain text at the start of a pattern; without its last character, which a "?" may follow. */
function prefixOf(pattern: string): { prefix: string; isTree: boolean } {
  const prefix = pattern.slice(0, pattern.search(HAS_SYNTAX));
  if (!/^[\w/.-]*$/.test(prefix)) return { prefix: "", isTree: false };
  const isTree = prefix.length > 1 && pattern === `${prefix}*?` && prefix.endsWith("/");
  return { prefix: prefix.slice(0, -1), isTree };
}

/**
 * The expression of a pattern of plain segments and parameters, the last of which may be repeated,
 * or be all that follows: `/a/:name/:rest*`, `/a/:name/*?`. Null for any other. Matching it costs a
 * tenth of the same by URLPattern.
 */
function expressionOf(pattern: string): Expression | null {
  if (!/^(?:\/[\w.-]+|\/:[a-z_]\w*)*(?:\/:[a-z_]\w*\*|\/\*\?)?$/i.test(pattern)) return null;
  const source = pattern
    .replaceAll(".", "\\.")
    .replace(/\/\*\?$/, "(?:/(.*))?")
    .replace(/\/:\w+\*$/, "(?:/([^/]+(?:/[^/]+)*))?")
    .replace(/\/:\w+/g, "/([^/]+)");
  const names = [...pattern.matchAll(/:(\w+)|\*\?$/g)].map(([, name = "0"]) => name);
  return { regExp: new RegExp(`^${source}$`), names };
}

/** The groups of a pattern that matches a path, as URLPattern names them; null when it does not. */
function groupsOf<T>(
  { prefix, isTree, expression, matcher }: Entry<T>,
  path: string,
): Record<string, string | undefined> | null {
  if (!path.startsWith(prefix)) return null;
  if (isTree && path.length === prefix.length) return { 0: undefined };
  if (isTree) return path[prefix.length] === "/" ? { 0: path.slice(prefix.length + 1) } : null;
  if (!expression) return matcher?.exec({ pathname: path })?.pathname.groups ?? null;
  const found = expression.regExp.exec(path);
  return found &&
    Object.fromEntries(expression.names.map((name, index) => [name, found[index + 1]]));
}

function itemFor<T>({ items }: Entry<T>, method: string): T | null | undefined {
  if (!isMethod(method)) return undefined;
  return items.get(method) ?? (method === "HEAD" ? items.get("GET") : undefined) ?? null;
}

function isMethod(name: string): name is Method {
  return METHODS.some((method) => method === name);
}

/** Decodes with decodeURI, so `%2F` stays. */
function decodeGroups(
  groups: Record<string, string | undefined>,
  params: Record<string, string>,
): void {
  for (const [name, value = ""] of Object.entries(groups)) params[name] = decodeURI(value);
}

/**
 * The URLPattern pathname of a route file, from its path below `routes/` without the extension:
 * `blog/[slug]` is `/blog/:slug`. Groups such as `(site)` are left out unless `keepGroups` is set.
 *
 * @throws {SyntaxError} when parameters are adjacent, or an optional one is not a whole segment.
 */
export function pathToPattern(file: string, options: { keepGroups?: boolean } = {}): string {
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
 * The names of the segments a path goes through, from the root down. Optional parts are left out,
 * so that what applies to `/docs` applies to `/docs{/:version}?/search` as well.
 *
 * @param ownSegment Whether the last part is a segment too; a file route belongs to its folder.
 */
export function patternToSegments(pattern: string, ownSegment: boolean): string[] {
  if (pattern === "*" || pattern === "/*") return [];
  const parts = pattern.replace(/\{[^}]*\}\??/g, "").replace(/^\//, "").split("/");
  const last = parts.pop();
  if (ownSegment && last) parts.push(last);
  return parts;
}

/** Puts a base path before a pattern: the root of a mounted application is its base path itself. */
export function mergePath(basePath: string, pattern: string): string {
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
