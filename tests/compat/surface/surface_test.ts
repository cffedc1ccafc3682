/** Every difference from File Browser that a client can notice is in the documentation. */
import assert from "node:assert/strict";
import { startServer } from "../../support/server/server.ts";
import { requestHead } from "../../support/clients/raw_http.ts";
import { nameOfCall, surface, type SurfaceCall } from "./calls.ts";
import { readRecorded } from "./recorded.ts";
import { type Answer, replaySurface } from "./replay.ts";
import { plantSurface } from "./surface_files.ts";

/** A part of an answer that differs. */
interface Difference {
  /** `status`, `content-type`, `body`, or a member: `items.0.type`. */
  at: string;
  theirs: unknown;
  ours: unknown;
  their: Answer;
  our: Answer;
  call: SurfaceCall;
}

/** Differences that many answers have, by their titles in the documentation. */
const general: Record<string, (difference: Difference) => boolean> = {
  "Texts of errors": ({ at, their, our }) =>
    at === "body" && their.status >= 400 && our.status >= 400,
  "Texts of success": ({ at, theirs, our }) =>
    (at === "body" && /^20\d \w+\n$/.test(String(theirs)) && !isToken(our.body)) ||
    (at === "content-type" && our.body === ""),
  "Times": ({ at, theirs, ours }) =>
    isMember(at, "modified") && !Number.isNaN(Date.parse(String(theirs))) &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(ours)),
  "Modes": ({ at, theirs, ours }) =>
    isMember(at, "mode") && Number(ours) === (Number(theirs) & 0o777) && !isLink(theirs),
  "Modes of new files and folders": ({ at, theirs }) =>
    isMember(at, "mode") && [0o640, 0o750].includes(Number(theirs) & 0o777),
  "The size and mode of a link": ({ at, theirs, our }) =>
    (isMember(at, "mode") && isLink(theirs)) ||
    (isMember(at, "size") && Reflect.get(entryAt(our.body, at), "isSymlink") === true),
  "The direction of a listing": ({ at, theirs, ours }) =>
    isMember(at, "asc") && theirs === false && ours === true,
  "Folders in listings": ({ at, theirs, ours }) =>
    isMember(at, "type") && theirs === "" && ours === "listing",
  "Types in shares": ({ at, theirs, ours, call }) =>
    isMember(at, "type") && theirs === "text" && ours === "textImmutable" &&
    call.sends.includes("/public/share/"),
  "Extensions of hidden names": ({ at, theirs, ours }) =>
    isMember(at, "extension") && /^\./.test(String(theirs)) && ours === "",
  "Hashes of shares": ({ at, theirs, ours }) =>
    isMember(at, "hash") && /^[\w-]{8}$/.test(String(theirs)) && /^[\w-]{22}$/.test(String(ours)),
  "Searches": ({ at, ours }) => at === "content-type" && ours === "application/x-ndjson",
  "Paths in shares": ({ at, theirs, ours, call }) =>
    at === "path" && theirs === "" && ours === "/" && call.sends.includes("/public/share/"),
  "Scopes": ({ at, theirs, ours }) =>
    isMember(at, "scope") && (theirs === "." || theirs === "") && ours === "/",
  "Defaults of a new server": ({ at, call }) =>
    /^GET \/api\/(settings|users(\/1)?)$/.test(call.sends) &&
    /(^|\.)(locale|viewMode|redirectAfterCopyMove|hideLoginButton|by|execute)$/.test(at),
  "`X-Renew-Token: false`": ({ at, theirs, ours }) =>
    at === "x-renew-token" && theirs === "false" && ours === undefined,
  "Names of downloads": ({ at, theirs, ours }) =>
    at === "content-disposition" && nameIn(theirs) !== "" && nameIn(theirs) === nameIn(ours),
  "Types of downloads": ({ at, theirs, call }) =>
    at === "content-type" && theirs === "application/octet-stream" &&
    !call.sends.includes("algo=") && /^GET \/api\/(raw|public\/dl)\//.test(call.sends),
  "Types of archives": ({ at, call }) => at === "content-type" && call.sends.includes("algo="),
  "Caching": ({ at, theirs, ours }) =>
    at === "cache-control" && isCachedLonger(String(theirs)) === isCachedLonger(String(ours)),
  "Ranges": ({ at, ours, call }) =>
    at === "accept-ranges" && ours === undefined &&
    /^GET \/api\/(preview|subtitle)\//.test(call.sends),
  "Kinds of previews": ({ at, call, our }) =>
    call.sends.startsWith("GET /api/preview/") && our.headers["content-type"] === "image/jpeg" &&
    (at === "content-type" || at === "content-disposition"),
};

/** Differences that no single answer shows, with the file and the title of a test that does. */
const elsewhere: Record<string, readonly [file: string, title: string]> = {
  "Members and headers of its own": ["compat/surface/surface_test.ts", "as File Browser, or as"],
  "Names of headers": ["compat/surface/surface_test.ts", "names of headers come in lower case"],
  "Tokens in addresses": ["routes/auth/ticket_test.ts", "a value in ?auth= that is no ticket"],
  "The cookie `auth`": ["routes/auth/login_test.ts", "in a cookie that no script can read"],
  "Signing out": ["routes/auth/sessions_test.ts", "logout ends the session and the cookie"],
  "Too many failures": [
    "unit/features/accounts/auth/login_throttle_test.ts",
    "the sixth guess at one account from one address waits",
  ],
  "Renewals": ["routes/auth/sessions_test.ts", "renewed by X-Auth, former tokens go on"],
  "Rules of one's own": [
    "routes/users/users_test.ts",
    "what rules hide is not told to whom they hide it from",
  ],
  "`GET /api/resources/recursive`": [
    "routes/files/recursive_test.ts",
    'a folder called "recursive" at the root goes on being reached',
  ],
  "Tokens of shares": ["compat/import_test.ts", "addresses with a token open an imported share"],
  "Entries in hidden folders": [
    "security/paths/rules_test.ts",
    "hidden names are hidden at any depth",
  ],
  "The order of shares": ["routes/shares/share_test.ts", "shares are listed to their owner"],
  "Failed uploads": [
    "security/http/bodies_test.ts",
    "an upload cut at half leaves the former file",
  ],
  "Hooks": [
    "routes/commands/command_hooks_test.ts",
    "a line after that fails is noted in the log and undoes nothing",
  ],
  "Pipes": ["security/paths/special_files_test.ts", "a pipe and a socket are never opened"],
};

/** Says nothing of a difference: other values of the same kind. */
function isVolatile({ at, theirs, ours, call }: Difference): boolean {
  if (isToken(theirs) && isToken(ours)) return true;
  if (isMember(at, "expire") || isMember(at, "used") || isMember(at, "total")) {
    return Number(theirs) > 0 && Number(ours) > 0;
  }
  if (at === "last-modified") return isTime(theirs) && isTime(ours);
  if (at === "etag") return isTag(theirs) && isTag(ours);
  if (isMember(at, "token")) return typeof theirs === "string" && typeof ours === "string";
  // The sizes of folders, archives and resized pictures.
  const isFolder = isMember(at, "size") && theirs === 4096;
  const isPacked = /\/(raw|dl|preview)\//.test(call.sends) && Number(theirs) > 30;
  return isFolder || (at === "bytes" && isPacked && Number(ours) > 30);
}

const isMember = (at: string, name: string) => at === name || at.endsWith(`.${name}`);
const isLink = (mode: unknown) => (Number(mode) & 0o1000000000) !== 0;
const isToken = (value: unknown) => /^[\w-]+\.[\w-]+\.[\w-]+\n?$/.test(String(value));
const isTime = (value: unknown) => !Number.isNaN(Date.parse(String(value)));
const isTag = (value: unknown) => /^"[^"]+"$/.test(String(value));
/** Whether a client may keep an answer, and use it without asking. */
const isCachedLonger = (value: string) => !/no-store|no-cache|private/.test(value);
const essence = (type: string | undefined) => type?.split(";")[0];

function nameIn(disposition: unknown): string {
  const [, name = ""] = /filename\*=utf-8''([^;]+)/i.exec(String(disposition)) ?? [];
  return decodeURIComponent(name);
}

/** The object that has the member at this place. */
function entryAt(body: unknown, at: string): object {
  const names = at.split(".").slice(0, -1);
  const found = names.reduce<unknown>((value, name) => Object(value)[name], body);
  return Object(found);
}

/** What File Browser answers and Cubby does not, in its order. */
function differencesOf(call: SurfaceCall, their: Answer, our: Answer): Difference[] {
  const found: Difference[] = [];
  const compare = (at: string, theirs: unknown, ours: unknown) => {
    if (isObject(theirs) && isObject(ours)) {
      const names = new Set([
        ...Object.keys(theirs),
        ...Array.isArray(theirs) ? Object.keys(ours) : [],
      ]);
      for (const name of names) {
        compare(at === "body" ? name : `${at}.${name}`, theirs[name], ours[name]);
      }
    } else if (theirs !== ours) found.push({ at, theirs, ours, their, our, call });
  };
  compare("status", their.status, our.status);
  for (const [name, value] of Object.entries(their.headers)) {
    const isType = name === "content-type";
    const mine = our.headers[name];
    // Of an error, the type of its text says nothing.
    if (isType && (their.status >= 400 || our.status >= 400)) continue;
    if (isType) compare(name, essence(value), essence(mine));
    else if (our.status < 400) compare(name, value, mine);
  }
  compare("body", inOrder(call, their.body), inOrder(call, our.body));
  return found.filter((difference) => !isVolatile(difference));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Lines of JSON as a list; a list whose order is told apart, by path. */
function inOrder({ sends }: SurfaceCall, body: unknown): unknown {
  const lines = typeof body === "string" && /^\{.*\}\n$/s.test(body)
    ? body.trim().split("\n").map((line) => JSON.parse(line))
    : body;
  if (!Array.isArray(lines) || !/\/api\/(search|shares$|resources\/recursive)/.test(sends)) {
    return lines;
  }
  return lines.toSorted((a, b) => a.path < b.path ? -1 : 1);
}

const page = await Deno.readTextFile(new URL("../../../docs/api/differences.md", import.meta.url));
const listed = new Map(
  page.split(/\n(?=- |\n|#)/).flatMap((item) => {
    const [, title, text] = /^\s*- \*\*(.+?)\.?\*\* (.+)$/s.exec(item) ?? [];
    return title && text ? [[title.replace(/\s+/g, " "), text]] : [];
  }),
);

const { version, answers: theirs } = await readRecorded();
const server = await startServer({ prepare: plantSurface, flags: ["--api-compat=2.63"] });
Deno.test.afterAll(async () => void await server.stop());
const answers = await replaySurface(server.url, surface);

Deno.test("the answers of File Browser are those of this version, to these calls", () => {
  assert.equal(version, "2.63.23");
  assert.deepEqual([...theirs.keys()], surface.map(nameOfCall));
});

Deno.test("names of headers come in lower case, whatever a script looks for", async () => {
  const { hostname, port } = new URL(server.url);
  using socket = await Deno.connect({ hostname, port: Number(port) });
  await socket.write(new TextEncoder().encode(requestHead("GET", "/health")));
  const bytes = new Uint8Array(4_096);
  const head = new TextDecoder().decode(bytes.subarray(0, await socket.read(bytes) ?? 0));
  assert.match(head, /\r\ncontent-type: /);
});

const shown = new Set<string>();
for (const call of surface) {
  const name = nameOfCall(call);
  Deno.test(`as File Browser, or as the documentation says: ${name}`, () => {
    const [their, our] = [theirs.get(name), answers.get(name)];
    assert.ok(their && our);
    const own = differencesOf(call, their, our).filter((difference) => {
      const title = Object.keys(general).find((each) => general[each]?.(difference));
      if (title !== undefined) shown.add(title);
      return title === undefined;
    });
    if (call.shows !== undefined) shown.add(call.shows);
    const told = own.map(({ at, theirs, ours }) =>
      `${at}: ${JSON.stringify(theirs)} -> ${JSON.stringify(ours)}`
    );
    if (call.shows === undefined) assert.deepEqual(told, [], "no difference is documented");
    else assert.notDeepEqual(told, [], `"${call.shows}" is documented, but no difference is left`);
  });
}

Deno.test("the documentation lists these differences and no others, with the reason for each", () => {
  for (const [title, text] of listed) assert.match(text, /\bWhy:\s/, `the reason for "${title}"`);
  const known = new Set([...shown, ...Object.keys(elsewhere)]);
  assert.deepEqual([...listed.keys()].filter((title) => !known.has(title)), [], "not shown");
  assert.deepEqual([...known].filter((title) => !listed.has(title)), [], "not documented");
  for (const [file, title] of Object.values(elsewhere)) {
    const text = Deno.readTextFileSync(new URL(`../../${file}`, import.meta.url));
    assert.ok(text.includes(title), `${file}: ${title}`);
  }
});
