import { LruCache } from "../../../shared/lru_cache.ts";

/** Labels of letters, digits, `-` and `_`, or an IPv6 address in brackets; an optional port. */
const HOST = String.raw`(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-fA-F:.]+\])(?::\d{1,5})?`;

/** The longest host that is remembered, in characters: a name in the DNS has at most 253. */
const maxHostLength = 300;

const wholeHost = new RegExp(`^${HOST}$`);

/** A URL whose authority is a host, with no character in the path that ends it early. */
const wholeTarget = new RegExp(String.raw`^https?://(${HOST})((?:/[^?#\\]*)?)(?:\?[^#]*)?$`);

/** Hosts that were checked: most requests name one of few. */
const checked = new LruCache<string, boolean>(100);

/** Whether a text is `host` or `host:port` (RFC 9110, 7.2), without user info, path or spaces. */
export function isHost(text: string): boolean {
  const known = checked.get(text);
  if (known !== undefined) return known;
  const isOne = wholeHost.test(text) && URL.canParse(`http://${text}`);
  if (text.length <= maxHostLength) checked.set(text, isOne);
  return isOne;
}

/**
 * The path of a request as it was sent, escapes and dot segments included; null when the URL cannot
 * be trusted to contain that path.
 *
 * Deno writes `request.url` as the scheme, the Host header and the path, one after the other, and
 * parses nothing: with the header `x/api/resources/a?`, the path of the URL is `/api/resources/a`
 * whatever the request line says. Once the authority is nothing but a host, the path in the URL is
 * the one of the request line, in absolute form (`GET http://host/path`) as well.
 */
export function pathAsSent({ url, headers }: Request): string | null {
  const [, authority, path] = wholeTarget.exec(url) ?? [];
  const host = headers.get("host");
  if (authority === undefined || !isHost(authority)) return null;
  if (host !== null && !isHost(host)) return null;
  return path || "/";
}
