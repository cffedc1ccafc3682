import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp } from "../../support/server/app.ts";
import { basic } from "../../support/clients/dav.ts";
import { userPassword } from "../../support/server/app_parts.ts";
import { deny } from "../../support/data/rules.ts";
import { parsePath } from "../../../lib/shared/path.ts";
import { assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  config: { webdav: true, syncClients: true },
  tree: {
    "outside.txt": "outside",
    home: {
      "mine.txt": "mine",
      "picture.png": "picture",
      docs: { "d.txt": "d", deep: {} },
      closed: { "s.txt": "secret" },
    },
    other: { "o.txt": "other" },
  },
});
Deno.test.afterAll(app.close);
const anna = await app.addUser("anna", { scope: "/home", rules: [deny("/closed")] });
await app.addUser("ben", { scope: "/other" });
const own = basic("anna", userPassword);
const dav = "/remote.php/dav";

interface Door {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** It changes something. */
  changes?: true;
}

const to = (path: string) => ({ destination: `http://cubby.test${dav}/${path}` });
const ocs = { "ocs-apirequest": "true" };
const sharing = "/ocs/v2.php/apps/files_sharing/api/v1/shares";
const part =
  "--b\r\nX-File-Path: /docs/bulk.txt\r\nX-File-MD5: 9dd4e461268c8034f5c8564e155c67a6\r\n" +
  "Content-Length: 1\r\n\r\nx\r\n--b--\r\n";
const star = '<d:propertyupdate xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:set><d:prop>' +
  "<oc:favorite>1</oc:favorite></d:prop></d:set></d:propertyupdate>";
const lock = '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/>' +
  "</locktype></lockinfo>";
const found = '<d:searchrequest xmlns:d="DAV:"><d:basicsearch><d:from><d:scope><d:href>' +
  "/files/anna</d:href></d:scope></d:from></d:basicsearch></d:searchrequest>";
const starred = '<oc:filter-files xmlns:oc="http://owncloud.org/ns"><oc:filter-rules>' +
  "<oc:favorite>1</oc:favorite></oc:filter-rules></oc:filter-files>";

/** Each kind of request at each address of sync clients, as the user "anna" makes it. */
const doors: readonly Door[] = [
  { method: "GET", path: `${dav}/files/anna/mine.txt` },
  { method: "GET", path: "/remote.php/webdav/mine.txt" },
  { method: "PROPFIND", path: `${dav}/files/anna/`, headers: { depth: "1" } },
  { method: "PROPFIND", path: "/remote.php/webdav/", headers: { depth: "1" } },
  { method: "PROPFIND", path: `${dav}/uploads/anna/`, headers: { depth: "1" } },
  { method: "PROPFIND", path: `${dav}/trashbin/anna/trash`, headers: { depth: "1" } },
  { method: "PROPFIND", path: `${dav}/versions/anna/versions/1`, headers: { depth: "1" } },
  { method: "REPORT", path: `${dav}/files/anna/`, body: starred },
  { method: "SEARCH", path: dav, body: found },
  { method: "GET", path: "/index.php/core/preview?fileId=1&x=64&y=64" },
  { method: "GET", path: "/index.php/core/preview.png?file=/picture.png&x=64&y=64" },
  { method: "GET", path: "/index.php/apps/files/api/v1/thumbnail/64/64/picture.png" },
  { method: "GET", path: "/ocs/v2.php/cloud/user", headers: ocs },
  { method: "GET", path: "/ocs/v2.php/cloud/users/anna", headers: ocs },
  { method: "GET", path: "/ocs/v2.php/core/navigation/apps", headers: ocs },
  ...changing(`${dav}/files/anna`),
  ...changing("/remote.php/webdav"),
  {
    method: "MKCOL",
    path: `${dav}/uploads/anna/1`,
    headers: to("files/anna/up.txt"),
    changes: true,
  },
  { method: "PUT", path: `${dav}/uploads/anna/1/1`, body: "x", changes: true },
  {
    method: "MOVE",
    path: `${dav}/uploads/anna/1/.file`,
    headers: to("files/anna/up.txt"),
    changes: true,
  },
  { method: "DELETE", path: `${dav}/uploads/anna/1`, changes: true },
  {
    method: "POST",
    path: `${dav}/bulk`,
    headers: { "content-type": "multipart/related; boundary=b" },
    body: part,
    changes: true,
  },
  { method: "DELETE", path: `${dav}/trashbin/anna/trash`, changes: true },
  {
    method: "MOVE",
    path: `${dav}/trashbin/anna/trash/x.d1`,
    headers: to("trashbin/anna/restore/x"),
    changes: true,
  },
  {
    method: "MOVE",
    path: `${dav}/versions/anna/versions/1/1`,
    headers: to("versions/anna/restore/1"),
    changes: true,
  },
  { method: "GET", path: sharing, headers: ocs },
  {
    method: "POST",
    path: sharing,
    headers: { ...ocs, "content-type": "application/x-www-form-urlencoded" },
    body: "path=/mine.txt&shareType=3",
    changes: true,
  },
  { method: "GET", path: "/ocs/v2.php/core/getapppassword", headers: ocs, changes: true },
  { method: "DELETE", path: "/ocs/v2.php/core/apppassword", headers: ocs, changes: true },
];

function changing(prefix: string): Door[] {
  const destination = `http://cubby.test${prefix}/moved.txt`;
  const all: Door[] = [
    { method: "PUT", path: `${prefix}/mine.txt`, body: "changed" },
    { method: "PUT", path: `${prefix}/new.txt`, body: "new" },
    {
      method: "PUT",
      path: `${prefix}/new/deep.txt`,
      body: "new",
      headers: { "x-nc-webdav-automkcol": "1" },
    },
    { method: "DELETE", path: `${prefix}/mine.txt` },
    { method: "MKCOL", path: `${prefix}/made` },
    { method: "MOVE", path: `${prefix}/mine.txt`, headers: { destination } },
    { method: "COPY", path: `${prefix}/mine.txt`, headers: { destination } },
    { method: "PROPPATCH", path: `${prefix}/mine.txt`, body: star },
    { method: "LOCK", path: `${prefix}/mine.txt`, body: lock },
  ];
  return all.map((door) => ({ ...door, changes: true }));
}

async function knock({ method, path, headers, body }: Door, more: Record<string, string>) {
  const length = { "content-length": String(body?.length ?? 0) };
  const answer = await app.call(method, path, {
    headers: { ...body !== undefined && length, ...headers, ...more },
    body,
  });
  const text = await answer.text();
  assert.ok(answer.status < 500, `${method} ${path} ${answer.status} ${text}`);
  return { status: answer.status, headers: answer.headers, text };
}

/** All that is in the root, with its content. */
function wholeTree(folder = app.root, below = ""): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const [path, own] = [join(folder, name), `${below}/${name}`];
    if (isDirectory) Object.assign(tree, { [own]: "" }, wholeTree(path, own));
    else tree[own] = Deno.readTextFileSync(path);
  }
  return tree;
}

const before = wholeTree();
const assertUnchanged = (told: string) => assert.deepEqual(wholeTree(), before, told);

Deno.test("each door of sync clients wants credentials: cookies and sessions are none", async () => {
  const { token } = anna;
  for (const door of doors) {
    for (const name of ["accept", "cookie", "x-auth"]) {
      const more = { [name]: name === "cookie" ? `auth=${token}` : token };
      const { status, text } = await knock(door, more);
      assert.equal(status, 401, `${door.method} ${door.path} ${text}`);
      assert.doesNotMatch(text, /mine\.txt|secret/);
    }
  }
  assertUnchanged("without credentials");
});

Deno.test("no door of sync clients lets another site change anything, with kept credentials", async () => {
  const tokens = await app.cubby.apiTokens.list(anna.user.id);
  const more = { authorization: own, origin: "https://evil.test", "sec-fetch-site": "cross-site" };
  for (const door of doors) {
    const { "ocs-apirequest": _, ...headers } = door.headers ?? {};
    const { status } = await knock({ ...door, headers }, more);
    if (door.changes || door.path.startsWith("/ocs/")) {
      assert.ok([401, 403, 412].includes(status), `${door.method} ${door.path} ${status}`);
    }
  }
  assertUnchanged("by another site");
  assert.deepEqual(await app.cubby.apiTokens.list(anna.user.id), tokens, "none was made");
});

Deno.test("no door of sync clients leads to another user's files, uploads, trash or versions", async () => {
  for (const door of doors.filter(({ path }) => path.startsWith(dav) && path.includes("/anna"))) {
    for (const name of ["ben", "nobody", "ANNA", "anna%2f..%2fben", "%2e%2e", ".", "anna%00"]) {
      const path = door.path.replace("/anna", `/${name}`);
      const { status, text } = await knock({ ...door, path }, { authorization: own });
      assert.ok([400, 404, 405].includes(status), `${door.method} ${path} ${status} ${text}`);
    }
  }
  for (const href of ["/files/ben", "/files/nobody", `${dav}/files/ben/`, "/files/anna/../ben"]) {
    const body = found.replace("/files/anna", href);
    const { status } = await knock({ method: "SEARCH", path: dav, body }, { authorization: own });
    assert.ok([400, 404].includes(status), href);
  }
  assertUnchanged("as another user");
});

Deno.test("a token that may only read changes nothing by any door", async () => {
  const draft = { name: "reader", write: false, share: false, expires: null };
  const { secret } = await app.cubby.apiTokens.create(anna.user.id, draft, null);
  for (const door of doors.filter(({ changes }) => changes)) {
    if (door.path.endsWith("/core/apppassword")) continue;
    const { status, text } = await knock(door, { authorization: basic("anna", secret) });
    const isMissing = status === 404 && /uploads|trashbin|versions/.test(door.path);
    const isBulk = door.path.endsWith("/bulk") && status === 200;
    if (isBulk) assert.equal(JSON.parse(text)["/docs/bulk.txt"].error, true, text);
    // An empty trash is as it was; elsewhere nothing is there that could be changed.
    const isSame = door.method === "DELETE" && door.path.includes("/trashbin/") && status === 204;
    const told = `${door.method} ${door.path} ${status} ${text}`;
    assert.ok(status === 403 || isMissing || isBulk || isSame, told);
  }
  assertUnchanged("by a reader");
});

Deno.test("a user without rights changes nothing by any door", async () => {
  const none = { create: false, modify: false, delete: false, rename: false, download: false };
  await app.addUser("cleo", { scope: "/home", perm: none });
  const authorization = basic("cleo", userPassword);
  for (const door of doors.filter(({ changes, path }) => changes && !path.startsWith("/ocs/"))) {
    const headers = door.headers && Object.fromEntries(
      Object.entries(door.headers).map(([name, value]) => [name, value.replace("/anna", "/cleo")]),
    );
    const path = door.path.replace("/anna", "/cleo");
    // The star is in the user's own list.
    if (door.method === "PROPPATCH") continue;
    const { status, text } = await knock({ ...door, path, headers }, { authorization });
    const isNothing = status === 404 || path.endsWith("/bulk") && /"error":true/.test(text) ||
      door.method === "DELETE" && path.includes("/trashbin/") && status === 204;
    assert.ok(status === 403 || isNothing, `${door.method} ${path} ${status} ${text}`);
  }
  for (const path of [`${dav}/files/cleo/mine.txt`, "/remote.php/webdav/mine.txt"]) {
    const { status } = await knock({ method: "GET", path }, { authorization });
    assert.equal(status, 403, path);
  }
  assertUnchanged("without rights");
});

Deno.test("a token for one folder writes, moves and copies nowhere else, whatever Destination says", async () => {
  const draft = { name: "bound", write: true, share: false, expires: null };
  const folder = parsePath("/home/docs").path;
  const { secret } = await app.cubby.apiTokens.create(anna.user.id, draft, folder);
  const authorization = basic("anna", secret);
  const outside = [
    ...["/dav/outside.txt", "/dav/mine.txt", "/dav/home/mine.txt", "/dav/../mine.txt"],
    ...[
      `${dav}/files/ben/x.txt`,
      `${dav}/files/anna/../../mine.txt`,
      "/remote.php/webdav/../x.txt",
    ],
    ...[
      `${dav}/files/anna/%2e%2e/x.txt`,
      `${dav}/files/anna/..%2fmine.txt`,
      `${dav}/uploads/anna/x`,
    ],
    ...[`${dav}/trashbin/anna/restore/x`, "/api/resources/x.txt", "//evil.test/x.txt"],
    `${dav}/files/anna%2f..%2fben/x.txt`,
  ];
  for (const from of [`${dav}/files/anna/d.txt`, "/remote.php/webdav/d.txt", "/dav/docs/d.txt"]) {
    for (const destination of outside) {
      for (const method of ["COPY", "MOVE"]) {
        const door = { method, path: from, headers: { destination, overwrite: "T" } };
        const { status, text } = await knock(door, { authorization });
        const told = `${method} ${from} to ${destination}: ${status} ${text}`;
        const tree = wholeTree();
        // A name of its own folder is fine.
        if (status < 300) {
          const come = Object.keys(tree).filter((path) => !(path in before));
          assert.ok(come.every((path) => path.startsWith("/home/docs/")), `${told} ${come}`);
          for (const path of come) await Deno.remove(join(app.root, path));
          await Deno.writeTextFile(join(app.root, "home/docs/d.txt"), "d");
        }
        assertUnchanged(told);
      }
    }
  }
  const uploads = `${dav}/uploads/anna/bound`;
  for (const destination of outside) {
    const { status } = await knock(
      { method: "MKCOL", path: uploads, headers: { destination } },
      { authorization },
    );
    if (status < 300) await knock({ method: "DELETE", path: uploads }, { authorization });
    assertUnchanged(`an upload to ${destination}`);
  }
  for (const path of ["/outside.txt", "/../mine.txt", "/home/mine.txt", "..%2fmine.txt"]) {
    for (const prefix of [`${dav}/files/anna`, "/remote.php/webdav"]) {
      const { text } = await knock({ method: "GET", path: prefix + path }, { authorization });
      assert.doesNotMatch(text, /^(?:mine|outside)$/);
    }
  }
});

Deno.test("what a rule closes is found by no door", async () => {
  const more = { authorization: own };
  const closed: Door[] = [
    { method: "GET", path: `${dav}/files/anna/closed/s.txt` },
    { method: "PROPFIND", path: `${dav}/files/anna/closed/`, headers: { depth: "1" } },
    { method: "PUT", path: `${dav}/files/anna/closed/new.txt`, body: "x" },
    {
      method: "PUT",
      path: `${dav}/files/anna/closed/new/x.txt`,
      headers: { "x-nc-webdav-auto-mkcol": "1" },
      body: "x",
    },
    { method: "MKCOL", path: `${dav}/uploads/anna/2`, headers: to("files/anna/closed/up.txt") },
    { method: "COPY", path: `${dav}/files/anna/mine.txt`, headers: to("files/anna/closed/c.txt") },
    { method: "GET", path: "/index.php/core/preview.png?file=/closed/s.txt&x=64&y=64" },
    { method: "GET", path: "/index.php/apps/files/api/v1/thumbnail/64/64/closed/s.txt" },
    { method: "PROPPATCH", path: `${dav}/files/anna/closed/s.txt`, body: star },
    { method: "SEARCH", path: dav, body: found.replace("/files/anna", "/files/anna/closed") },
  ];
  for (const door of closed) {
    const { status, text } = await knock(door, more);
    assert.equal(status, 403, `${door.method} ${door.path} ${text}`);
  }
  const body = part.replace("/docs/", "/closed/");
  const bulk = doors.find(({ path }) => path.endsWith("/bulk"));
  const { text } = await knock({ ...bulk, body } as Door, more);
  assert.equal(JSON.parse(text)["/closed/bulk.txt"].error, true);
  const all = await knock({ method: "SEARCH", path: dav, body: found }, more);
  assert.doesNotMatch(all.text, /closed/);
  assertUnchanged("below what a rule closes");
});

Deno.test("wrong passwords are counted at each door together, and with the sign-in form", async () => {
  await app.addUser("dora", { scope: "/other" });
  const guessed = [
    ...["/remote.php/webdav/", `${dav}/files/dora/`, `${dav}/uploads/dora/`],
    ...["/ocs/v2.php/cloud/user", "/index.php/core/preview?fileId=1&x=1&y=1"],
  ];
  for (const [guess, path] of guessed.entries()) {
    const authorization = basic("dora", `guess ${guess}`);
    const { status } = await knock({ method: "GET", path, headers: ocs }, { authorization });
    assert.equal(status, 401, path);
  }
  for (const path of guessed) {
    const authorization = basic("dora", "guess again");
    const { status, headers } = await knock(
      { method: "GET", path, headers: ocs },
      { authorization },
    );
    assert.equal(status, 429, path);
    assert.ok(Number(headers.get("retry-after")) > 0, path);
  }
  const login = await app.call("POST", "/api/login", {
    json: { username: "dora", password: "guess 9" },
  });
  await assertStatus(login, 429);
});

Deno.test("guesses at what a waiting client polls find nothing, and take nothing from it", async () => {
  const begun = await (await app.call("POST", "/index.php/login/v2")).json();
  const flow = new URL(begun.login).pathname.split("/").at(-1) ?? "";
  const [place = ""] = begun.poll.token.split(".");
  const guesses = [
    ...["", "x", place, `${place}.`, flow, `${place}.${"A".repeat(43)}`, "a".repeat(900)],
    ...[begun.poll.token.slice(0, -1), `${begun.poll.token}A`, begun.poll.token.toUpperCase()],
  ];
  const poll = (query: string, body = "") =>
    knock({ method: "POST", path: `/index.php/login/v2/poll${query}`, body }, {
      "content-type": "application/x-www-form-urlencoded",
    });
  const granted = await app.call("POST", `/api/tokens/flows/${flow}`, {
    token: anna.token,
    json: { write: false },
  });
  await assertStatus(granted, 200);
  for (const guess of guesses) {
    for (const [query, body] of [["", guess], [guess, ""]] as const) {
      const asked = `?token=${encodeURIComponent(query)}`;
      const { status, text } = await poll(asked, `token=${encodeURIComponent(body)}`);
      assert.deepEqual([status, text.trim()], [404, "[]"], guess);
    }
  }
  const none = await app.call("GET", `/index.php/login/v2/poll?token=${begun.poll.token}`);
  assert.ok(none.status >= 400, "a link does not fetch it");
  await none.body?.cancel();
  const all = await Promise.all([1, 2, 3, 4].map(() => poll(`?token=${begun.poll.token}`)));
  assert.deepEqual(all.map(({ status }) => status).sort(), [200, 404, 404, 404]);
  const { text } = await knock({ method: "GET", path: `/api/tokens/flows/${flow}` }, {});
  assert.doesNotMatch(text, /appPassword/);
});

Deno.test("no address of sync clients redirects to another site", async () => {
  const evil = ["//evil.test", "https://evil.test/", "/\\evil.test", "%2f%2fevil.test"];
  for (const address of evil) {
    for (
      const path of [
        `/index.php/${address}`,
        `/index.php/login/v2/flow/${address}`,
        `/index.php/login/v2/flow/x?redirect=${address}&to=${address}`,
        `/index.php/apps/files/?dir=${address}`,
        `/index.php/f/1?redirect=${address}`,
        `/index.php?url=${address}`,
        `/remote.php/${address}`,
        `/ocs/${address}`,
        `/login/v2/flow/x?redirect=${address}`,
      ]
    ) {
      const answer = await app.call("GET", path);
      await answer.body?.cancel();
      const location = answer.headers.get("location");
      if (location === null) continue;
      const target = new URL(location, "http://cubby.test");
      assert.equal(target.host, "cubby.test", `${path} leads to ${location}`);
      assert.doesNotMatch(location, /^\/[/\\]/, path);
    }
  }
});

Deno.test("a page of another name never begins the sign-in of a client elsewhere", async () => {
  for (const host of ["evil.test", "cubby.test.evil.test", "evil.test:80"]) {
    const answer = await app.call("POST", "/index.php/login/v2", {
      headers: { "x-forwarded-host": host, "x-forwarded-proto": "https" },
    });
    const { poll, login } = await answer.json();
    for (const address of [poll.endpoint, login]) {
      assert.ok(!new URL(address).host.includes("evil.test"), address);
    }
  }
});
