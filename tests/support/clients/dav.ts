/** Calls of WebDAV, as its clients make them: each with a name and a password. */
import { admin, userPassword } from "../server/app_parts.ts";
import type { TestApp } from "../server/app.ts";

/** What a call may carry. */
export interface DavOptions {
  headers?: Record<string, string>;
  body?: BodyInit;
  /** The address of the socket's peer; only in process. */
  from?: string;
  /** What the request is sent to; `http://cubby.test` unless given. */
  origin?: string;
}

/** Makes one call. The path begins with a slash and counts from the address of the files. */
export type DavClient = (method: string, path: string, options?: DavOptions) => Promise<Response>;

/** The header of a name and a password. */
export function basic(username: string, password: string): string {
  return `Basic ${new TextEncoder().encode(`${username}:${password}`).toBase64()}`;
}

/**
 * A client of a user: the first administrator, or one whom `addUser()` has made.
 *
 * @param prefix the address of the files
 */
export function davClient(app: TestApp, username = admin.username, prefix = "/dav"): DavClient {
  const password = username === admin.username ? admin.password : userPassword;
  const authorization = basic(username, password);
  return (method, path, { headers = {}, ...options } = {}) =>
    app.call(method, prefix + path, { ...options, headers: { authorization, ...headers } });
}

/** The addresses in a multistatus, in the order of the text. */
export function hrefsOf(xml: string): string[] {
  return [...xml.matchAll(/<[Dd]:href>([^<]*)<\/[Dd]:href>/g)].map(([, href = ""]) => href);
}

/** The body of a PROPFIND for properties of WebDAV's own. */
export function wanting(...names: string[]): string {
  const props = names.map((name) => `<D:${name}/>`).join("");
  return `<?xml version="1.0"?><D:propfind xmlns:D="DAV:"><D:prop>${props}</D:prop></D:propfind>`;
}
