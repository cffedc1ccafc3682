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
