// With two threads, too: tokens that are revoked, and rights that end.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { ApiDocument } from "../../../lib/server/http/openapi/types.ts";
import { parsePath } from "../../../lib/shared/path.ts";
import { startApp } from "../../support/server/app.ts";
import { callsOf } from "../../support/server/conformance.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const odd = "name #%?日本 `.txt";
const app = await startApp({
  tree: {
    "a.txt": "needle outside",
    other: { "secret.txt": "needle secret" },
    docs: { "b.txt": "needle inside", deep: { "c.txt": "needle below" }, [odd]: "odd" },
    docs2: { "d.txt": "needle beside" },
  },
});
Deno.test.afterAll(app.close);
await Deno.symlink("../other", join(app.root, "docs", "way out"));
await Deno.symlink("../../other/secret.txt", join(app.root, "docs", "deep", "leak.txt"));
await Deno.symlink("docs", join(app.root, "way in"));

/** What an API token is to be able to do. */
interface Rights {
  write?: boolean;
  share?: boolean;
  folder?: string;
}

async function secretOf(userId: number, { folder, ...rights }: Rights = {}): Promise<string> {
  const draft = { name: "x", write: false, share: false, expires: null, ...rights };
  const place = folder === undefined ? null : parsePath(folder).path;
  return (await app.cubby.apiTokens.create(userId, draft, place)).secret;
}

/** What each operation takes of a token: "never" of one that none may make, "open" of the public. */
const table: Record<string, string> = {
  ...{ login: "open", signUp: "open", openApiDocument: "open", metrics: "open" },
  ...{ describeShared: "open", downloadShared: "open", previewShared: "open" },
  ...{ browseSharedArchive: "open", sharedRatios: "open", sharedSubtitle: "open" },
  streamShared: "open",
  ...{ health: "open", ready: "open" },
  ...{ renew: "never", logout: "never", listSessions: "never", endOtherSessions: "never" },
  ...{ endSession: "never", makeTicket: "never", command: "never" },
  ...{ openDocument: "never", openSharedDocument: "open" },
  ...{ editTogether: "never", editSharedTogether: "open" },
  ...{ listApiTokens: "never", makeApiToken: "never", revokeApiToken: "never" },
  ...{ connectApp: "never", refuseApp: "never" },
  ...{ listUsers: "never", addUser: "never", getUser: "never", changeUser: "never" },
  ...{ removeUser: "never", getSettings: "never", changeSettings: "never" },
  ...{ checkServer: "never", checkOffice: "never", probeUploads: "never" },
  ...{ addTotp: "never", beginTotp: "never", getFactors: "never", getFactorsOf: "never" },
  explainAccess: "never",
  ...{ removeTotp: "never", renewRecoveryCodes: "never", resetFactors: "never" },
  ...{ askPasskey: "open", loginByPasskey: "open" },
  ...{ beginPasskey: "never", addPasskey: "never", removePasskey: "never" },
  renamePasskey: "never",
  ...{ listActivity: "never", exportActivity: "never", entryHistory: "never" },
  ...{ listInvites: "never", makeInvite: "never", withdrawInvite: "never" },
  ...{ openInvite: "open", useInvite: "open" },
  ...{ listQuotas: "never", recountQuota: "never" },
  ...{ trashUsage: "never", contentIndex: "never", rebuildContentIndex: "never" },
  ...{ describe: "read", listTree: "read", search: "read" },
  ...{ size: "read", sizeOfSome: "read", sizes: "read" },
  ...{ watch: "read", download: "read", downloadChosen: "read", subtitle: "read" },
  ...{ browseArchive: "read", preview: "read", mediaInfo: "read", thumbHashes: "read" },
  ...{ ratios: "read", stream: "read" },
  ...{ timeline: "read", timelineRatios: "read", timelinePlaces: "read" },
  ...{ usage: "read", listFavorites: "read", listRecent: "read", listJobs: "read", job: "read" },
  ...{ create: "write", save: "write", transfer: "write", remove: "write" },
  ...{ uploadState: "write", beginUpload: "write", continueUpload: "write", dropUpload: "write" },
  uploadMany: "write",
  ...{ beginJob: "write", changeJob: "write", undoJob: "write" },
  ...{ putFavorite: "write whole", removeFavorite: "write whole", putView: "write whole" },
  ...{ removeView: "write whole", clearRecent: "write whole", noteRecent: "write whole" },
  ...{ listTrash: "read whole", readTrashed: "read whole", emptyTrash: "write whole" },
  ...{ restore: "write whole", removeFromTrash: "write whole" },
  ...{ listShared: "never", findRecipients: "never" },
  ...{ beginAdded: "open", addedState: "open", continueAdded: "open", dropAdded: "open" },
  ...{ makeSharedFolder: "open", saveShared: "open", moveShared: "open" },
  ...{ removeShared: "open", restoreShared: "open" },
  ...{ listNotifications: "read whole", markNotifications: "never", markNotification: "never" },
  ...{ clearNotifications: "never", removeNotification: "never" },
  ...{ listGroups: "never", addGroup: "never", getGroup: "never" },
  ...{ changeGroup: "never", removeGroup: "never" },
  ...{
    listShares: "share",
    listSharesOf: "share",
    share: "share",
    endShare: "share",
    changeShare: "share",
  },
  ...{ listRequests: "never", listRequestsOf: "never", requestFiles: "never" },
  ...{ changeRequest: "never", endRequest: "never" },
  ...{ listWebhooks: "never", addWebhook: "never", readWebhook: "never" },
  ...{ changeWebhook: "never", removeWebhook: "never", testWebhook: "never" },
  renewWebhookSecret: "never",
  ...{ openRequest: "open", beginReceived: "open", receivedState: "open" },
  ...{ continueReceived: "open", dropReceived: "open" },
};

const answer = await app.call("GET", "/api/openapi.json");
const document: ApiDocument = await answer.json();

/** Tokens that lack one thing each, and what each is refused. */
const kinds: readonly { rights: Rights; mayNot(need: string): boolean }[] = [
  {
    rights: { write: true, share: true },
    mayNot: (need) => need === "never",
  },
  {
    rights: { share: true },
    mayNot: (need) => need === "never" || need.startsWith("write"),
  },
  {
    rights: { write: true },
    mayNot: (need) => need === "never" || need === "share",
  },
  {
    rights: { write: true, share: true, folder: "/docs" },
    mayNot: (need) => need === "never" || need.endsWith("whole"),
  },
];

Deno.test("every operation is refused to API tokens, or allowed, as the table says", async () => {
  const ids = callsOf(document).map(({ operation }) => operation.operationId);
  assert.deepEqual(ids.toSorted(), Object.keys(table).sort(), "a new call is to be thought of");
  for (const { rights, mayNot } of kinds) {
    const { user } = await app.addUser(`table ${JSON.stringify(rights)}`, {
      perm: { admin: true },
    });
    const token = await secretOf(user.id, rights);
    for (const { method, path, operation } of callsOf(document)) {
      const need = table[operation.operationId] ?? "";
      const address = path.replace("{path}", "docs/none").replace("{id}", "1")
        .replace("{sid}", "none").replace("{size}", "thumb");
      const reply = await app.call(method.toUpperCase(), address, { token });
      const isStream = reply.headers.get("content-type")?.startsWith("text/event-stream");
      const text = isStream ? (await reply.body?.cancel(), "") : await reply.text();
      const isRefused = reply.status === 403 &&
        /requires a session|may only read|may not share|bound to a folder/.test(text);
      const told = `${method} ${path} with ${JSON.stringify(rights)}: ${reply.status} ${text}`;
      assert.equal(isRefused, mayNot(need), told);
      const declares = JSON.stringify(operation.security).includes("apiToken");
      assert.equal(declares, need !== "never" && need !== "open", `${path} in the document`);
    }
  }
});

Deno.test("a token of an administrator is none", async () => {
  const { user } = await app.addUser("boss", { perm: { admin: true, execute: true } });
  const token = await secretOf(user.id, { write: true, share: true });
  const other = await app.addUser("other");
  const shared = await app.call("POST", "/api/share/a.txt", { token: other.token });
  const { hash } = await shared.json();
  const list = await (await app.call("GET", "/api/shares", { token })).json();
  assert.deepEqual(list, [], "other people's shares");
  await assertRefused(await app.call("DELETE", `/api/share/${hash}`, { token }), 403, "forbidden");
  for (const [method, path] of [["GET", "/api/users"], ["PUT", "/api/settings"]] as const) {
    await assertRefused(await app.call(method, path, { token }), 403, "forbidden");
  }
});

Deno.test("a token that may read changes nothing by any call that it may make", async () => {
  const { user } = await app.addUser("reader", { perm: { admin: true } });
  const token = await secretOf(user.id);
  const tries: [string, string, unknown?][] = [
    ["POST", "/api/resources/new.txt"],
    ["PUT", "/api/resources/a.txt"],
    ["PATCH", "/api/resources/a.txt?action=copy&destination=/b.txt"],
    ["DELETE", "/api/resources/a.txt"],
    ["POST", "/api/tus/new.txt"],
    ["POST", "/api/jobs", { action: "delete", entries: [{ path: "/a.txt" }] }],
    ["POST", "/api/share/a.txt"],
  ];
  for (const [method, path, json] of tries) {
    await assertRefused(await app.call(method, path, { token, json }), 403, "forbidden", path);
  }
  assert.equal(await Deno.readTextFile(join(app.root, "a.txt")), "needle outside");
});

Deno.test("a bound token neither reads nor lists nor finds beyond its folder", async () => {
  const { user } = await app.addUser("bound");
  const token = await secretOf(user.id, { folder: "/docs" });
  const get = (path: string) => app.call("GET", path, { token });
  for (
    const path of [
      ...["/a.txt", "/other/secret.txt", "/docs2/d.txt", "/docs2/", "/"],
      ...["/docs/way%20out/secret.txt", "/docs/deep/leak.txt", "/way%20in/../a.txt"],
      ...["/DOCS/b.txt", "/docs/../a.txt", "/docs%2F..%2Fa.txt"],
    ]
  ) {
    for (const call of ["raw", "resources", "media", "preview/thumb", "archive", "size"]) {
      const reply = await get(`/api/${call}${path}`);
      const text = await reply.text();
      assert.ok(reply.status >= 400 && !text.includes("needle"), `${call}${path}: ${text}`);
    }
  }
  const listed = await (await get("/api/resources/docs/")).json();
  const names = listed.items.map(({ name }: { name: string }) => name).sort();
  assert.deepEqual(names, ["b.txt", "deep", odd], "no link that leads out");
  assert.equal(await (await get(`/api/raw/docs/${encodeURIComponent(odd)}`)).text(), "odd");
  const found = await (await get("/api/search/docs/?query=txt")).text();
  assert.ok(found.includes("b.txt") && !found.includes("secret") && !found.includes("leak"));
  for (const path of ["/api/search/?query=txt", "/api/search/?query=needle&in=content"]) {
    await assertRefused(await get(path), 403, "forbidden", path);
  }
  for (const path of ["/api/watch/", "/api/usage/", "/api/resources/recursive/"]) {
    await assertRefused(await get(path), 403, "forbidden", path);
  }
  const tree = await (await get("/api/resources/recursive/docs/")).text();
  assert.ok(!tree.includes("secret"), tree);
  const archive = await app.call("GET", "/api/raw/docs/?algo=tar", { token });
  assert.ok(!(await archive.text()).includes("needle secret"));
  const chosen = await get("/api/raw/?files=a.txt,docs/b.txt");
  await assertRefused(chosen, 403, "forbidden");
  for (const call of ["size", "sizes"]) {
    const size = await app.call("POST", `/api/${call}/`, { token, json: { names: ["other"] } });
    assert.ok(size.status >= 400, await size.text());
  }
  const hashes = await app.call("POST", "/api/thumbhashes", { token, json: { paths: ["/a.txt"] } });
  assert.ok(!(await hashes.text()).includes("1:"));
});

Deno.test("a bound token copies and moves nothing in or out", async () => {
  const { user } = await app.addUser("mover");
  const token = await secretOf(user.id, { folder: "/docs", write: true });
  const patch = (from: string, to: string, action: string) =>
    app.call("PATCH", `/api/resources${from}?action=${action}&destination=${to}`, { token });
  for (const action of ["copy", "rename"]) {
    await assertRefused(await patch("/a.txt", "/docs/a.txt", action), 403, "forbidden");
    await assertRefused(await patch("/docs/b.txt", "/b.txt", action), 403, "forbidden");
    await assertRefused(await patch("/docs/b.txt", "/docs2/b.txt", action), 403, "forbidden");
    await assertRefused(await patch("/docs", "/docs/deep/docs", action), 403, "forbidden");
    const behind = await patch("/docs/b.txt", "/docs/way%20out/b.txt", action);
    await assertRefused(behind, 403, "forbidden");
  }
  await assertRefused(await app.call("DELETE", "/api/resources/docs", { token }), 403, "forbidden");
  const writes = [["POST", "/api/resources/x.txt"], ["PUT", "/api/resources/a.txt"]] as const;
  for (const [method, path] of writes) {
    await assertRefused(await app.call(method, path, { token, body: "x" }), 403, "forbidden");
  }
  const headers = { "upload-length": "3" };
  await assertRefused(
    await app.call("POST", "/api/tus/x.txt", { token, headers }),
    403,
    "forbidden",
  );
  await assertStatus(await patch("/docs/b.txt", "/docs/deep/b.txt", "copy"), 200);
  await assertStatus(await app.call("DELETE", "/api/resources/docs/deep/b.txt", { token }), 200);
});

Deno.test("a job that a bound token begins stays in the folder, and knows of no other job", async () => {
  const { user, token: session } = await app.addUser("worker");
  const token = await secretOf(user.id, { folder: "/docs", write: true });
  const begin = async (by: string, path: string, destination: string) => {
    const json = { action: "copy", entries: [{ path, destination }] };
    const headers = { prefer: "wait=30" };
    const reply = await app.call("POST", "/api/jobs", { token: by, json, headers });
    return await reply.json();
  };
  const stolen = await begin(token, "/a.txt", "/docs/stolen.txt");
  assert.deepEqual([stolen.state, stolen.failed], ["done", 1]);
  const planted = await begin(token, "/docs/b.txt", "/planted.txt");
  assert.deepEqual([planted.state, planted.failed], ["done", 1]);
  const good = await begin(token, "/docs/b.txt", "/docs/deep/kept.txt");
  assert.deepEqual([good.state, good.failed], ["done", 0]);
  const own = await begin(session, "/a.txt", "/other/a.txt");
  assert.equal(own.failed, 0);
  const list = await (await app.call("GET", "/api/jobs", { token })).json();
  const ids = list.map(({ id }: { id: string }) => id);
  assert.deepEqual(ids.toSorted(), [stolen.id, planted.id, good.id].sort());
  for (const [method, path] of [["GET", ""], ["POST", "/undo"], ["PATCH", ""]] as const) {
    const json = method === "PATCH" ? { state: "cancelled" } : undefined;
    const reply = await app.call(method, `/api/jobs/${own.id}${path}`, { token, json });
    await assertRefused(reply, 404, "not_found", `${method} ${path}`);
  }
  const headers = { prefer: "wait=30" };
  const undone = await app.call("POST", `/api/jobs/${good.id}/undo`, { token, headers });
  assert.equal((await undone.json()).state, "undone");
});

Deno.test("a bound token shares below its folder alone, and ends no other share", async () => {
  const { user, token: session } = await app.addUser("sharer");
  const token = await secretOf(user.id, { folder: "/docs", share: true });
  const shared = await app.call("POST", "/api/share/a.txt", { token: session });
  const { hash } = await shared.json();
  await assertRefused(await app.call("POST", "/api/share/a.txt", { token }), 403, "forbidden");
  await assertRefused(await app.call("DELETE", `/api/share/${hash}`, { token }), 403, "forbidden");
  const move = { token, json: { password: "another" } };
  await assertRefused(await app.call("PATCH", `/api/share/${hash}`, move), 403, "forbidden");
  const own = await (await app.call("POST", "/api/share/docs/b.txt", { token })).json();
  const away = { token, json: { path: "/a.txt" } };
  await assertRefused(await app.call("PATCH", `/api/share/${own.hash}`, away), 403, "forbidden");
  const list = await (await app.call("GET", "/api/shares", { token })).json();
  assert.deepEqual(list.map((share: { hash: string }) => share.hash), [own.hash]);
  await assertStatus(await app.call("DELETE", `/api/share/${own.hash}`, { token }), 200);
});

Deno.test("favourites beyond its folder are no business of a bound token", async () => {
  const { user, token: session } = await app.addUser("fan");
  const token = await secretOf(user.id, { folder: "/docs" });
  for (const path of ["/a.txt", "/docs/b.txt"]) {
    await assertStatus(await app.call("PUT", `/api/favorites${path}`, { token: session }), 200);
  }
  const list = await (await app.call("GET", "/api/favorites", { token })).text();
  assert.ok(list.includes("b.txt") && !list.includes("a.txt"), list);
});

Deno.test("a dead or made-up token is refused, even next to a live cookie", async () => {
  const cookie = `auth=${await app.tokenOf("admin")}`;
  const made = `cubby_${"A".repeat(43)}`;
  for (const secret of [made, "cubby_", `cubby_${"A".repeat(42)}`, `${made}A`, "cubby_%00"]) {
    const ways: Record<string, string>[] = [
      { "x-auth": secret },
      { authorization: `Bearer ${secret}` },
    ];
    for (const headers of ways) {
      const reply = await app.call("GET", "/api/users", { headers: { ...headers, cookie } });
      const text = await reply.text();
      assert.ok(reply.status === 401 || reply.status === 429, `${secret}: ${reply.status} ${text}`);
    }
  }
});

Deno.test("a token opens no page, and no session", async () => {
  const { user } = await app.addUser("pages");
  const token = await secretOf(user.id, { write: true, share: true });
  for (const path of ["/files/", "/settings/profile", "/trash"]) {
    const reply = await app.call("GET", path, { headers: { authorization: `Bearer ${token}` } });
    await reply.body?.cancel();
    assert.ok(reply.status >= 300 && reply.status < 400, `${path}: ${reply.status}`);
  }
  await assertRefused(await app.call("POST", "/api/renew", { token }), 403, "forbidden");
  const json = { username: "pages", password: token };
  const login = await app.call("POST", "/api/login", { json });
  await assertRefused(login, 403, "wrong_credentials");
});

Deno.test("another site cannot use a token that a browser keeps as a password", async () => {
  const { user } = await app.addUser("browser");
  const authorization = `Basic ${btoa(`browser:${await secretOf(user.id, { write: true })}`)}`;
  const headers = { authorization, origin: "http://evil.test", "sec-fetch-site": "cross-site" };
  const reply = await app.call("POST", "/api/resources/evil.txt", { headers, body: "x" });
  await assertRefused(reply, 403, "forbidden");
});

Deno.test("a job of a token that is revoked meanwhile goes no further", async () => {
  const { user, token: session } = await app.addUser("stopper");
  const { secret, token } = await app.cubby.apiTokens.create(
    user.id,
    { name: "x", write: true, share: false, expires: null },
    null,
  );
  const facts = { userId: user.id, tokenId: token.id, address: "-", action: "copy" as const };
  await app.cubby.apiTokens.remove(token);
  const job = await app.cubby.jobs.begin(facts, [
    { path: parsePath("/a.txt").path, to: parsePath("/late.txt").path },
  ]);
  const ended = await app.cubby.jobs.wait(user.id, job.id, 30_000);
  assert.deepEqual([ended.state, ended.steps], ["cancelled", 0]);
  await assert.rejects(Deno.stat(join(app.root, "late.txt")), Deno.errors.NotFound);
  await assertRefused(await app.call("GET", "/api/jobs", { token: secret }), 401, "not_signed_in");
  assert.ok((await (await app.call("GET", "/api/jobs", { token: session })).json()).length > 0);
});
