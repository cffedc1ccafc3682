/** What the tests of the browser's stores share: tokens, a server to speak to, patience. */
import type { Entry, Resource } from "../../../lib/shared/schemas/entry.ts";
import type { TokenUser } from "../../../lib/shared/schemas/user.ts";
import { Api } from "../../../lib/client/base/api/api.ts";
import { Session } from "../../../lib/client/base/session/session.ts";
import { memoryStorage } from "../../../lib/client/base/core/browser_storage.ts";
import { userWho } from "../../support/data/page_data.ts";

/** A user who may do everything but administrate. */
export const ada = userWho({}, "ada");

/** A token as the server writes one; the browser does not check the signature. */
export function tokenFor(user: TokenUser, gen = 1, sid = "s1"): string {
  const encode = (value: unknown) => {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
  };
  return `${encode({ alg: "HS256" })}.${encode({ user, gen, sid })}.signature`;
}

/** A request that the server got. */
export interface Heard {
  method: string;
  /** The raw path and query. */
  target: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: string;
}

/** A server on this machine, an `Api` that speaks to it, and what it heard. */
export interface Spoken extends AsyncDisposable {
  api: Api;
  session: Session;
  heard: Heard[];
}

/** Starts a server that answers as `answer` says; the session begins with a token for ada. */
export function speakTo(
  answer: (heard: Heard, request: Request) => Response | Promise<Response>,
): Spoken {
  const heard: Heard[] = [];
  const options = { port: 0, hostname: "127.0.0.1", onListen: () => {} };
  const server = Deno.serve(options, async (request) => {
    const { pathname, search, searchParams: query } = new URL(request.url);
    const { method, headers } = request;
    const body = await request.text();
    const spoken = { method, target: pathname + search, path: pathname, query, headers, body };
    heard.push(spoken);
    return await answer(spoken, request);
  });
  const session = new Session({ storage: memoryStorage(), user: ada });
  session.keep(tokenFor(ada));
  const api = new Api({ baseUrl: `http://127.0.0.1:${server.addr.port}`, session });
  return { api, session, heard, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** A file of a folder. */
export function fileNamed(name: string, folder = "/"): Entry {
  return {
    name,
    path: folder === "/" ? `/${name}` : `${folder}/${name}`,
    isDir: false,
    isSymlink: false,
    type: "text",
    size: 10,
    modified: "2026-10-05T12:00:00Z",
    extension: ".txt",
    mode: 0o644,
  };
}

/** A folder as the server describes it, with the window of its entries that was asked for. */
export function folderOf(
  names: readonly string[],
  query = new URLSearchParams(),
  path = "/",
): Resource {
  const limit = Number(query.get("limit") ?? 50);
  const ordered = query.get("order") === "desc" ? names.toReversed() : names;
  const around = query.get("around");
  const found = around === null ? -1 : ordered.indexOf(around);
  const offset = found === -1 ? Number(query.get("offset") ?? 0) : found - found % limit;
  return {
    ...fileNamed(path.slice(path.lastIndexOf("/") + 1)),
    path,
    isDir: true,
    type: "listing",
    modified: `state of ${names.length} ${names[0]}`,
    numDirs: 0,
    numFiles: names.length,
    sorting: { by: "name", asc: true },
    ...around !== null && { offset },
    items: ordered.slice(offset, offset + limit).map((name) => fileNamed(name, path)),
  };
}

/** `count` names in order: "file 00000". */
export function manyNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `file ${String(index).padStart(5, "0")}`);
}

/** Waits until something holds; fails after half a minute. */
export async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 30_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`Cannot wait any longer: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Lets that much time pass, in milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
