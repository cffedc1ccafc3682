/**
 * Replays of the calls of phone apps, in the order in which the apps make them: written from the
 * public sources of the apps, with what each app reads of the answers.
 */
import assert from "node:assert/strict";
import { basic } from "../../support/clients/dav.ts";
import type { TestApp, TestUser } from "../../support/server/app.ts";

const namespaces: Record<string, string> = {
  d: "DAV:",
  oc: "http://owncloud.org/ns",
  nc: "http://nextcloud.org/ns",
  ocs: "http://open-collaboration-services.org/ns",
  ocm: "http://open-cloud-mesh.org/ns",
};

/** The answer to a call of an app. */
export interface AppAnswer {
  status: number;
  headers: Headers;
  text: string;
  bytes: Uint8Array;
}

/** One call of an app. */
export interface AppCall {
  /** What the app does by it. */
  does: string;
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** The statuses with which the app goes on. */
  status: number | readonly number[];
  /** What the app reads of the answer. */
  reads?(answer: AppAnswer): void;
}

/** Makes the calls of an app one after the other, and checks what it needs of each answer. */
export type Replay = (...calls: readonly AppCall[]) => Promise<AppAnswer[]>;

/**
 * An app that is signed in.
 *
 * @param headers those of each of its requests
 */
export function replayOf(app: TestApp, headers: Record<string, string>): Replay {
  return async (...calls) => {
    const answers: AppAnswer[] = [];
    for (const call of calls) {
      const { does, method, path, status, reads } = call;
      const body = typeof call.body === "string" ? new TextEncoder().encode(call.body) : call.body;
      const length = body && { "content-length": String(body.length) };
      const response = await app.call(method, path, {
        headers: { ...headers, ...length, ...call.headers },
        body,
      });
      const bytes = await response.bytes();
      const text = new TextDecoder().decode(bytes);
      const answer = { status: response.status, headers: response.headers, text, bytes };
      const told = `${does}: ${method} ${path} ${answer.status} ${text.slice(0, 500)}`;
      assert.ok([status].flat().includes(answer.status), told);
      reads?.(answer);
      answers.push(answer);
    }
    return answers;
  };
}

/** Nextcloud's apps: what each calls itself, and where it has the token of its poll. */
const apps = {
  android: { agent: "Mozilla/5.0 (Android) Nextcloud-android/3.31.0", by: "body" },
  ios: { agent: "Mozilla/5.0 (iOS) Nextcloud-iOS/7.2.0", by: "query" },
} as const;

/** An app that is signed in. */
export interface SignedInApp {
  /** The token of the user's own session. */
  session: string;
  /** The app before it has signed in. */
  anyone: Replay;
  /** All that the server has told of the account. */
  told: { server: string; loginName: string; appPassword: string };
  /** The headers of each of its requests. */
  headers: Record<string, string>;
}

/**
 * Signs in as both apps do: begins, has the user grant access in the browser, and polls meanwhile.
 * The user is a new one, with a folder of that name.
 *
 * @param rights what the user grants
 */
export async function signInByBrowser(
  app: TestApp,
  kind: keyof typeof apps,
  name: string,
  { rights, ...user }: TestUser & { rights: { write: boolean; share?: boolean } } = {
    rights: { write: true },
  },
): Promise<SignedInApp> {
  const { agent, by } = apps[kind];
  const { token: session } = await app.addUser(name, { scope: name, ...user });
  const anyone = replayOf(app, { "user-agent": agent });
  const [, begun] = await anyone(
    { does: "look for a server", method: "GET", path: "/status.php", status: 200 },
    { does: "begin to sign in", method: "POST", path: "/index.php/login/v2", status: 200 },
  );
  const { poll: { token, endpoint }, login } = JSON.parse(begun?.text ?? "");
  const flow = new URL(login).pathname.split("/").at(-1);
  const { pathname } = new URL(endpoint);
  const poll = {
    does: "ask whether the user has consented",
    method: "POST",
    ...by === "query" ? { path: `${pathname}?token=${token}` } : {
      path: pathname,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `token=${token}`,
    },
  };
  await anyone({ ...poll, status: 404 });
  const granted = await app.call("POST", `/api/tokens/flows/${flow}`, {
    token: session,
    json: rights,
  });
  assert.equal(granted.status, 200, await granted.text());
  const [answer] = await anyone({ ...poll, status: 200 });
  const told = JSON.parse(answer?.text ?? "");
  await anyone({ ...poll, status: 404 });
  const authorization = basic(name, told.appPassword);
  return { session, anyone, told, headers: { "user-agent": agent, authorization } };
}

/**
 * How an app looks at entries: at all of a folder, or at one.
 *
 * @param files the address of the user's top folder
 * @param names the properties that it asks for
 * @param headers those of each PROPFIND
 */
export function looksAt(files: string, names: readonly string[], headers?: Record<string, string>) {
  const list = (path: string, reads?: (answer: AppAnswer) => void) => ({
    does: "list a folder",
    method: "PROPFIND",
    path: `${files}${path}`,
    headers: { depth: "1", ...headers },
    body: propfindFor(names),
    status: 207,
    reads,
  });
  const read = (path: string, reads?: (answer: AppAnswer) => void) => ({
    ...list(path, reads),
    does: "read one entry",
    headers: { depth: "0", ...headers },
  });
  return { list, read };
}

/** An element by a name with a prefix, which declares its namespace for itself, as both apps do. */
function element(prefixed: string): string {
  const [prefix = "", name = ""] = prefixed.split(":");
  return prefix === "d" ? `<d:${name}/>` : `<${name} xmlns="${namespaces[prefix]}"/>`;
}

/** The properties that a request names: `oc:id`. */
export function prop(names: readonly string[]): string {
  return `<d:prop>${names.map(element).join("")}</d:prop>`;
}

/** The body of a PROPFIND. */
export function propfindFor(names: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?><d:propfind xmlns:d="DAV:">${prop(names)}` +
    "</d:propfind>";
}

/** What both apps read of an entry: of the first `propstat` alone, by prefixes. */
export interface AppEntry {
  href: string;
  isFolder: boolean;
  /** The text or XML of a property; undefined for one that is not there. */
  get(prefixed: string): string | undefined;
}

/** The entries in a multistatus, as the apps read them. */
export function entriesIn({ status, text }: AppAnswer): AppEntry[] {
  assert.equal(status, 207, text);
  const responses = [...text.matchAll(/<d:response>(.*?)<\/d:response>/gs)];
  return responses.map(([, response = ""]) => {
    const href = /<d:href>([^<]*)<\/d:href>/.exec(response)?.[1] ?? "";
    const [, first = "", state = ""] =
      /<d:propstat><d:prop>(.*?)<\/d:prop><d:status>([^<]*)</s.exec(response) ?? [];
    assert.match(state || "HTTP/1.1 200 OK", /200 OK/, "the first propstat is the one that counts");
    const get = (name: string) => {
      if (first.includes(`<${name}/>`)) return "";
      return new RegExp(`<${name}>(.*?)</${name}>`, "s").exec(first)?.[1];
    };
    return { href, get, isFolder: get("d:resourcetype") === "<d:collection/>" };
  });
}

/** The entry whose address ends so. */
export function entryNamed(answer: AppAnswer, end: string): AppEntry {
  const found = entriesIn(answer).find(({ href }) => href.endsWith(end));
  assert.ok(found, `${end} is not in ${answer.text}`);
  return found;
}

/** What each app needs of an entry that it shows, and syncs later. */
export function assertShown(entry: AppEntry): void {
  const date = entry.get("d:getlastmodified") ?? "";
  assert.match(date, /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/);
  assert.match(entry.get("d:getetag") ?? "", /^(?:"|&quot;)[^"&]+(?:"|&quot;)$/);
  assert.match(entry.get("oc:id") ?? "", /^\d{8,}[a-z]+$/);
  if (!entry.isFolder) assert.match(entry.get("d:getcontentlength") ?? "", /^\d+$/);
}
