/** The name of the cookie that carries a session token. */
const SESSION_COOKIE = "auth";

/** In `X-Auth`, says that the token to be renewed is the cookie's. */
export const byCookieWord = "cookie";

/** The name of the cookie that carries the token of a share. */
const SHARE_COOKIE = "share";

/** Not readable by scripts, and not sent with other sites' forms and frames. */
const GUARDS = ["HttpOnly", "SameSite=Lax"];

/** Path and security of the cookies. */
export interface CookieScope {
  /** "" or "/base", never with a trailing slash. */
  baseUrl: string;
  /** Whether the browser uses https. */
  https: boolean;
}

/**
 * The `Set-Cookie` value with a session token: not readable by scripts, not sent with other sites'
 * forms and frames, only below the base URL.
 *
 * @param maxAge in seconds
 */
export function sessionCookie(token: string, maxAge: number, scope: CookieScope): string {
  if (!/^[\w.-]+$/.test(token)) throw new Error("Cannot set the cookie: not a session token");
  return cookie(token, Math.floor(maxAge), scope);
}

/** The `Set-Cookie` value that deletes the session cookie. */
export function forgetSessionCookie(scope: CookieScope): string {
  return cookie("", 0, scope);
}

/** The session token in a request's cookies. */
export function readSessionCookie(headers: Headers): string | undefined {
  return readCookie(headers, SESSION_COOKIE);
}

/**
 * The `Set-Cookie` value that keeps a share unlocked for a visitor who has entered its password. A
 * browser-session cookie.
 *
 * @param hash of the share; sent to its pages alone
 */
export function shareCookie(token: string, hash: string, { baseUrl, https }: CookieScope): string {
  const attributes = [`${SHARE_COOKIE}=${token}`, `Path=${baseUrl}/share/${hash}`, ...GUARDS];
  return [...attributes, ...(https ? ["Secure"] : [])].join("; ");
}

/** The token of a share in the cookies of a request for one of its pages. */
export function readShareCookie(headers: Headers): string | undefined {
  return readCookie(headers, SHARE_COOKIE);
}

function readCookie(headers: Headers, wanted: string): string | undefined {
  for (const pair of headers.get("cookie")?.split(";") ?? []) {
    const [name, value] = pair.split("=", 2);
    if (name?.trim() === wanted && value) return value.trim();
  }
  return undefined;
}

function cookie(value: string, maxAge: number, scope: CookieScope): string {
  const attributes = [
    `${SESSION_COOKIE}=${value}`,
    `Path=${scope.baseUrl || "/"}`,
    `Max-Age=${maxAge}`,
    ...GUARDS,
  ];
  if (scope.https) attributes.push("Secure");
  return attributes.join("; ");
}
