import assert from "node:assert/strict";
import { join } from "node:path";
import { startApp, type TestUser } from "../../support/server/app.ts";
import { basic, davClient } from "../../support/clients/dav.ts";
import { admin, userPassword } from "../../support/server/app_parts.ts";
import { parsePath } from "../../../lib/shared/path.ts";
import { assertStatus } from "../../support/server/refused.ts";
import { deny } from "../../support/data/rules.ts";
import { propertyIn, propfind, responsesIn } from "./client_answers.ts";

const app = await startApp({
  config: { webdav: true, syncClients: true },
  tree: {
    "a.txt": "one",
    "picture.png": "not empty",
    box: { "b.txt": "two", inner: { "c.txt": "C" } },
    home: { "mine.txt": "mine", closed: { "s.txt": "S" }, open: {} },
    team: { "plan.txt": "plan", below: {} },
  },
});
Deno.test.afterAll(app.close);

const files = "/remote.php/dav/files/admin";
const client = davClient(app, "admin", files);
let count = 0;
async function someone(user: TestUser = {}) {
  const made = await app.addUser(`client ${++count}`, user);
  const { username } = made.user;
  const prefix = `/remote.php/dav/files/${encodeURIComponent(username)}`;
  return { ...made, prefix, client: davClient(app, username, prefix) };
}

/** The properties that the tests ask for in a folder: those of use to a desktop client. */
const desktop = [
  ...["d:resourcetype", "d:getlastmodified", "d:getcontentlength", "d:getetag", "oc:size", "oc:id"],
  ...["oc:fileid", "oc:downloadURL", "oc:dDC", "oc:permissions", "oc:checksums", "nc:is-encrypted"],
  ...["oc:data-fingerprint", "oc:share-types", "nc:lock", "nc:lock-owner-displayname"],
  ...["nc:lock-owner", "nc:lock-owner-type", "nc:lock-owner-editor", "nc:lock-time"],
  ...["nc:lock-timeout", "nc:lock-token", "nc:is-mount-root"],
];

async function list(
  path: string,
  names: readonly string[] = desktop,
  options: { depth?: string; by?: typeof client } = {},
) {
  const { depth = "1", by = client } = options;
  const answer = await by("PROPFIND", path, { headers: { depth }, body: propfind(...names) });
  const xml = await answer.text();
  assert.equal(answer.status, 207, xml);
  return responsesIn(xml);
}

async function permissions(by: typeof client, path: string): Promise<Record<string, string>> {
  const found = await list(path, ["oc:permissions"], { by });
  return Object.fromEntries(
    [...found].map(([href, xml]) => [
      decodeURIComponent(href.split("/").filter(Boolean).at(-1) ?? ""),
      propertyIn(xml, "oc:permissions") ?? "",
    ]),
  );
}

Deno.test("another user's files are not there, whether or not the user is", async () => {
  const other = await someone();
  for (const name of ["nobody", other.user.username, "", "admin%2f..", "ADMIN", "%ff"]) {
    const path = `/remote.php/dav/files/${name}/a.txt`;
    for (const method of ["PROPFIND", "GET", "PUT", "DELETE", "MKCOL", "SEARCH", "REPORT"]) {
      const headers = { authorization: basic("admin", admin.password), depth: "0" };
      const answer = await app.call(method, path, { headers });
      assert.ok([404, 400, 405].includes(answer.status), `${method} ${path}: ${answer.status}`);
      assert.doesNotMatch(await answer.text(), /^one$/);
    }
  }
});

Deno.test("without --sync-clients no address of clients answers", async () => {
  const plain = await startApp({ config: { webdav: true }, tree: { "a.txt": "one" } });
  try {
    const headers = { authorization: basic("admin", admin.password), depth: "0" };
    for (
      const path of [
        ...["/remote.php/dav/", "/remote.php/webdav/", "/remote.php/dav/files/admin/a.txt"],
        ...["/index.php/core/preview?fileId=1&x=1&y=1", "/index.php/core/preview.png?file=/a.txt"],
        "/index.php/apps/files/api/v1/thumbnail/64/64/a.txt",
      ]
    ) {
      await assertStatus(await plain.call("GET", path, { headers }), 404, path);
    }
    const body = propfind("oc:id", "oc:permissions", "d:getetag");
    const dav = davClient(plain);
    const xml = await (await dav("PROPFIND", "/", { headers: { depth: "1" }, body })).text();
    assert.doesNotMatch(xml, /<oc:|<d:/);
    assert.match(xml, /<n:permissions xmlns:n="http:\/\/owncloud.org\/ns"\/>/);
  } finally {
    await plain.close();
  }
});

Deno.test("a listing has all that the desktop client asks for, in its prefixes", async () => {
  const found = await list("/");
  const root = found.get(`${files}/`) ?? "";
  const file = found.get(`${files}/a.txt`) ?? "";
  const folder = found.get(`${files}/box/`) ?? "";
  assert.match(root, /<d:resourcetype><d:collection\/><\/d:resourcetype>/);
  for (const entry of [root, file, folder]) {
    assert.match(propertyIn(entry, "d:getetag") ?? "", /^(?:"|&quot;)[^"&]+(?:"|&quot;)$/);
    const id = propertyIn(entry, "oc:fileid") ?? "";
    assert.match(id, /^\d{1,16}$/);
    assert.equal(propertyIn(entry, "oc:id"), `${id.padStart(8, "0")}occubby`);
    assert.equal(propertyIn(entry, "oc:share-types"), "");
    assert.equal(propertyIn(entry, "oc:data-fingerprint"), "");
    assert.equal(propertyIn(entry, "nc:is-encrypted"), "0");
    assert.equal(propertyIn(entry, "nc:lock"), "0");
    assert.match(entry, /404 Not Found/);
    assert.match(entry.slice(entry.indexOf("200 OK")), /downloadURL/, "there is none");
  }
  assert.equal(propertyIn(file, "oc:size"), "3");
  assert.match(propertyIn(folder, "oc:size") ?? "", /^\d+$/);
  assert.equal(propertyIn(file, "oc:permissions"), "RGDNVW");
  assert.equal(propertyIn(folder, "oc:permissions"), "RGDNVCK");
  assert.equal(propertyIn(root, "oc:permissions"), "RGCK", "the root itself stays where it is");
  const webdav = davClient(app, "admin", "/remote.php/webdav");
  const same = await list("/", desktop, { by: webdav });
  assert.deepEqual([...same.keys()].sort()[0], "/remote.php/webdav/");
});

Deno.test("the id stays with a rename, a move and a save", async () => {
  await assertStatus(await client("PUT", "/kept.txt", { body: "x" }), 201);
  const idOf = async (path: string) =>
    propertyIn(
      [...(await list(path, ["oc:fileid"], { depth: "0" })).values()][0] ?? "",
      "oc:fileid",
    );
  const id = await idOf("/kept.txt");
  const headers = { destination: `${files}/box/moved.txt` };
  const moved = await client("MOVE", "/kept.txt", { headers });
  assert.equal(moved.headers.get("oc-fileid"), `${String(id).padStart(8, "0")}occubby`);
  assert.equal(await idOf("/box/moved.txt"), id);
});

Deno.test("permissions are those of the user, the token, the rules and the roots", async () => {
  const none = { create: false, modify: false, delete: false, rename: false, share: false };
  const reader = await someone({ scope: "/home", perm: none });
  assert.deepEqual(await permissions(reader.client, "/"), {
    [reader.user.username]: "G",
    "mine.txt": "G",
    closed: "G",
    open: "G",
  });
  const blind = await someone({ scope: "/home", perm: { ...none, download: false, create: true } });
  assert.equal((await permissions(blind.client, "/"))["mine.txt"], "");
  assert.equal((await permissions(blind.client, "/"))["closed"], "CK");
  const ruled = await someone({ scope: "/home", rules: [deny("/closed")] });
  assert.deepEqual(Object.keys(await permissions(ruled.client, "/")).sort(), [
    ruled.user.username,
    "mine.txt",
    "open",
  ]);
  const rooted = await someone({
    roots: [
      { name: "team", path: "/team", readOnly: true },
      { name: "own", path: "/home", readOnly: false },
    ],
  });
  assert.deepEqual(await permissions(rooted.client, "/"), {
    [rooted.user.username]: "RG",
    team: "RG",
    own: "RGCK",
  });
  assert.deepEqual(await permissions(rooted.client, "/team"), {
    team: "RG",
    "plan.txt": "RG",
    below: "RG",
  });
  assert.equal((await permissions(rooted.client, "/own"))["mine.txt"], "RGDNVW");
});

Deno.test("a top that has become a file is not listed, as if it were an empty folder", async () => {
  const { client } = await someone({ scope: "/a.txt" });
  for (const depth of ["0", "1"]) {
    await assertStatus(await client("PROPFIND", "/", { headers: { depth } }), 404);
  }
});

Deno.test("a token that may only read tells so, and cannot star", async () => {
  const { token: session, user } = await someone({ scope: "/home" });
  const made = await app.call("POST", "/api/tokens", {
    token: session,
    json: { name: "reader", write: false, current_password: userPassword },
  });
  assert.equal(made.status, 201, await made.clone().text());
  const { token } = await made.json();
  const path = `/remote.php/dav/files/${encodeURIComponent(user.username)}`;
  const headers = { authorization: basic(user.username, token), depth: "1" };
  const listed = await app.call("PROPFIND", path, { headers, body: propfind("oc:permissions") });
  const found = responsesIn(await listed.text());
  for (const xml of found.values()) assert.equal(propertyIn(xml, "oc:permissions"), "G");
  const body = star("1");
  const starred = await app.call("PROPPATCH", `${path}/mine.txt`, { headers, body });
  await assertStatus(starred, 403);
});

Deno.test("who sees one folder as the top has the ids of others, also after a rename", async () => {
  const { user, client: whole, prefix } = await someone();
  const draft = { name: "one folder", write: true, share: false, expires: null };
  const folder = parsePath("/team").path;
  const { secret } = await app.cubby.apiTokens.create(user.id, draft, folder);
  const authorization = basic(user.username, secret);
  const bounded: typeof client = (method, path, { headers = {}, ...options } = {}) =>
    app.call(method, prefix + path, { ...options, headers: { authorization, ...headers } });
  const idOf = async (by: typeof client, path: string) =>
    propertyIn(
      [...(await list(path, ["oc:fileid"], { by, depth: "0" })).values()][0] ?? "",
      "oc:fileid",
    );
  await assertStatus(await whole("PUT", "/team/named.txt", { body: "x" }), 201);
  const id = await idOf(whole, "/team/named.txt");
  assert.equal(await idOf(bounded, "/named.txt"), id);
  const found = await list("/", ["oc:fileid"], { by: bounded });
  assert.equal(propertyIn(found.get(`${prefix}/named.txt`) ?? "", "oc:fileid"), id);
  const preview = await app.call("GET", "/index.php/core/preview.png?file=/named.txt&x=64&y=64", {
    headers: { authorization },
  });
  assert.equal(preview.status, 404, "it is there, and has no preview");
  const { message } = await preview.json();
  assert.equal(message, 'Cannot make a preview of "/named.txt": it is not a picture');
  const report = await bounded("REPORT", "/", {
    body: `<oc:filter-files xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop/>` +
      `<oc:filter-rules><oc:fileid>${id}</oc:fileid></oc:filter-rules></oc:filter-files>`,
  });
  assert.deepEqual([...responsesIn(await report.text()).keys()], [`${prefix}/named.txt`]);
  await assertStatus(await whole("PROPPATCH", "/team/named.txt", { body: star("1") }), 207);
  await assertStatus(await whole("PROPPATCH", "/a.txt", { body: star("1") }), 207);
  const starred = await bounded("REPORT", "/", {
    body: `<oc:filter-files xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop/>` +
      `<oc:filter-rules><oc:favorite>1</oc:favorite></oc:filter-rules></oc:filter-files>`,
  });
  assert.deepEqual([...responsesIn(await starred.text()).keys()], [`${prefix}/named.txt`]);
  const headers = { destination: `${prefix}/renamed.txt` };
  await assertStatus(await bounded("MOVE", "/named.txt", { headers }), 201);
  assert.equal(await idOf(bounded, "/renamed.txt"), id);
  await assertStatus(await bounded("DELETE", "/renamed.txt"), 204);
});

function star(value: string): string {
  return `<d:propertyupdate xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:set><d:prop>` +
    `<oc:favorite>${value}</oc:favorite></d:prop></d:set></d:propertyupdate>`;
}

Deno.test("a star is set and taken away, and is the one of the pages", async () => {
  const { client, token } = await someone({ scope: "/home" });
  const isStarred = async () => {
    const found = await list("/", ["oc:favorite"], { by: client });
    return [...found].filter(([, xml]) => propertyIn(xml, "oc:favorite") === "1")
      .map(([href]) => href.split("/").at(-1));
  };
  const favorites = async () =>
    await (await app.call("GET", "/api/favorites", { token })).json() as { path: string }[];
  assert.deepEqual(await isStarred(), []);
  const answer = await client("PROPPATCH", "/mine.txt", { body: star("1") });
  assert.match(await answer.text(), /<d:multistatus.*200 OK/s);
  assert.deepEqual(await isStarred(), ["mine.txt"]);
  assert.deepEqual((await favorites()).map(({ path }) => path), ["/mine.txt"]);
  await assertStatus(await client("PROPPATCH", "/mine.txt", { body: star("0") }), 207);
  await assertStatus(await client("PROPPATCH", "/mine.txt", { body: star("0") }), 207);
  assert.deepEqual(await isStarred(), []);
});

Deno.test("the times of an entry are set as clients send them; other live properties are not", async () => {
  const set = (xml: string) =>
    client("PROPPATCH", "/box/b.txt", {
      body: `<d:propertyupdate xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" ` +
        `xmlns:nc="http://nextcloud.org/ns"><d:set><d:prop>${xml}</d:prop></d:set>` +
        `</d:propertyupdate>`,
    });
  const times =
    "<d:lastmodified>1000000000</d:lastmodified><nc:creation_time>900</nc:creation_time>";
  assert.match(await (await set(times)).text(), /200 OK/);
  const { mtime } = await Deno.stat(join(app.root, "box/b.txt"));
  assert.equal(mtime?.getTime(), 1e12);
  const found = await list("/box", ["nc:creation_time", "d:getlastmodified", "nc:upload_time"]);
  const file = found.get(`${files}/box/b.txt`) ?? "";
  assert.equal(propertyIn(file, "nc:creation_time"), "900");
  assert.equal(propertyIn(file, "d:getlastmodified"), "Sun, 09 Sep 2001 01:46:40 GMT");
  for (const name of ["d:lastmodified", "d:getlastmodified"]) {
    const xml = await (await set(`<${name}>soon</${name}>`)).text();
    assert.match(xml, /409 Conflict/, name);
  }
  assert.equal((await Deno.stat(join(app.root, "box/b.txt"))).mtime?.getTime(), 1e12);
  for (const name of ["oc:fileid", "oc:permissions", "oc:size", "nc:has-preview", "d:getetag"]) {
    const xml = await (await set(`<${name}>1</${name}>`)).text();
    assert.match(xml, /403 Forbidden/, name);
  }
});

Deno.test("shares, previews, owner and counts are told", async () => {
  const { client, token, user } = await someone({ scope: "/home" });
  const shared = await app.call("POST", "/api/share/mine.txt", { token, json: {} });
  assert.equal(shared.status, 200, await shared.clone().text());
  const names = ["oc:share-types", "nc:sharees", "oc:owner-id", "oc:owner-display-name"];
  const found = await list("/", [...names, "nc:contained-file-count"], { by: client });
  const of = (end: string) => [...found].find(([href]) => href.endsWith(end))?.[1] ?? "";
  assert.equal(propertyIn(of("mine.txt"), "oc:share-types"), "<oc:share-type>3</oc:share-type>");
  assert.equal(propertyIn(of("/open/"), "oc:share-types"), "");
  assert.equal(propertyIn(of("mine.txt"), "oc:owner-id"), user.username);
  assert.equal(propertyIn([...found.values()][0] ?? "", "nc:contained-file-count"), "1");
  const previews = await list("/", ["nc:has-preview"]);
  assert.equal(propertyIn(previews.get(`${files}/picture.png`) ?? "", "nc:has-preview"), "true");
  assert.equal(propertyIn(previews.get(`${files}/a.txt`) ?? "", "nc:has-preview"), "false");
});

Deno.test("the room that a user is told is that of the quota", async () => {
  const { client } = await someone({ scope: "/team", quota: { bytes: 10_000, files: 0 } });
  const names = ["d:quota-available-bytes", "d:quota-used-bytes"];
  const room = async () => {
    const [xml = ""] = [...(await list("/", names, { by: client, depth: "0" })).values()];
    return names.map((name) => Number(propertyIn(xml, name)));
  };
  const [free = 0, used = 0] = await room();
  assert.equal(free + used, 10_000);
  await assertStatus(await client("PUT", "/counted.txt", { body: "x".repeat(100) }), 201);
  assert.deepEqual(await room(), [free - 100, used + 100]);
  await assertStatus(await client("DELETE", "/counted.txt"), 204);
});

Deno.test("a share with a user and a group names both", async () => {
  const { client, token } = await someone({ scope: "/home" });
  const other = await app.addUser("sharee");
  const json = { audience: [other.user.username] };
  const shared = await app.call("POST", "/api/share/open", { token, json });
  assert.equal(shared.status, 200, await shared.clone().text());
  const found = await list("/open", ["oc:share-types", "nc:sharees"], { by: client, depth: "0" });
  const [xml = ""] = [...found.values()];
  assert.equal(propertyIn(xml, "oc:share-types"), "<oc:share-type>0</oc:share-type>");
  assert.match(xml, /<nc:sharee><nc:id>sharee<\/nc:id>.*<nc:type>0<\/nc:type><\/nc:sharee>/);
});

Deno.test("a lock is told with its holder, and its token to the holder alone", async () => {
  const body = `<d:lockinfo xmlns:d="DAV:"><d:lockscope><d:exclusive/></d:lockscope>` +
    `<d:locktype><d:write/></d:locktype></d:lockinfo>`;
  const locked = await client("LOCK", "/box/inner/c.txt", { body, headers: { depth: "0" } });
  await assertStatus(locked, 200);
  const names = ["nc:lock", "nc:lock-owner", "nc:lock-owner-type", "nc:lock-token"];
  const own = [...(await list("/box/inner", names)).values()].at(-1) ?? "";
  assert.equal(propertyIn(own, "nc:lock"), "1");
  assert.equal(propertyIn(own, "nc:lock-owner"), "admin");
  assert.match(propertyIn(own, "nc:lock-token") ?? "", /^urn:uuid:/);
  const other = await someone();
  const theirs = [...(await list("/box/inner", names, { by: other.client })).values()].at(-1) ?? "";
  assert.equal(propertyIn(theirs, "nc:lock"), "1");
  assert.equal(propertyIn(theirs, "nc:lock-token"), null);
  const put = await other.client("PUT", "/box/inner/c.txt", { body: "changed" });
  assert.equal(put.status, 423);
  assert.match(await put.text(), /<s:exception>Sabre\\DAV\\Exception\\Locked<\/s:exception>/);
});
