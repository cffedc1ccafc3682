/** The name of the cookie that carries a session token. */
const SESSION_COOKIE = "auth";

/** In `X-Auth`, says that the token to be renewed is the cookie's. */
export const byCookieWord = "cookie";

/** The name of the cookie that carries the token of a share. */
const SHARE_COOKIE = "share";

/** The name of the cookie that carries the ID token of a provider. */
const ID_TOKEN_COOKIE = "id_token";

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

/** The end of the path at which providers send visitors back, and below which the cookies count. */
export const providerPath = "/login/oidc";

/** How long a browser keeps the secret of a sign-in that it has begun, in seconds. */
const signInSeconds = 600;

/** The longest cookie that browsers keep, in characters, its attributes aside. */
const maxCookieLength = 4_000;

/**
 * The `Set-Cookie` value that binds a sign-in at a provider to the browser that has begun it: one
 * for each, so that two tabs may sign in at once. `Lax` lets it come along when the provider sends
 * the visitor back.
 *
 * @param secret "" deletes the cookie
 */
export function signInCookie(state: string, secret: string, scope: CookieScope): string {
  return providerCookie(signInCookieName(state), secret, secret && signInSeconds, scope);
}

/** The secret of a sign-in in the cookies of a request, or "". */
export function readSignInCookie(headers: Headers, state: string): string {
  return readCookie(headers, signInCookieName(state)) ?? "";
}

/**
 * The `Set-Cookie` value with the ID token of a session, which tells the provider at the sign-out
 * whose session ends. Undefined for one that is too long: then the provider asks its visitor.
 *
 * @param idToken "" deletes the cookie
 * @param maxAge in seconds
 */
export function idTokenCookie(
  idToken: string,
  maxAge: number,
  scope: CookieScope,
): string | undefined {
  if (idToken.length > maxCookieLength || !/^[\w.-]*$/.test(idToken)) return undefined;
  return providerCookie(ID_TOKEN_COOKIE, idToken, idToken && Math.floor(maxAge), scope);
}

/** The ID token in the cookies of a request. */
export function readIdTokenCookie(headers: Headers): string | undefined {
  return readCookie(headers, ID_TOKEN_COOKIE);
}

/** The first characters of the random part: enough to tell a few apart. */
function signInCookieName(state: string): string {
  return `sign_in_${/^[\w-]+\.([\w-]{8})/.exec(state)?.[1] ?? ""}`;
}

function providerCookie(
  name: string,
  value: string,
  maxAge: number | "",
  { baseUrl, https }: CookieScope,
): string {
  const attributes = [
    `${name}=${value}`,
    `Path=${baseUrl}${providerPath}`,
    `Max-Age=${maxAge || 0}`,
  ];
  return [...attributes, ...GUARDS, ...(https ? ["Secure"] : [])].join("; ");
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
