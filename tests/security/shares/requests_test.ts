// With two threads, too: links that end, limits that are counted.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { RequestInfo } from "../../../lib/shared/schemas/request.ts";
import { type CallOptions, startApp } from "../../support/server/app.ts";
import { deny } from "../../support/data/rules.ts";
import { filesBelow } from "../../support/disks/files.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  tree: {
    anna: {
      inbox: { "own.txt": "own", photos: { "sea.jpg": "sea" } },
      private: { "key.txt": "k" },
    },
  },
});
Deno.test.afterAll(app.close);
const anna = await app.addUser("anna", { scope: "/anna" });
const type = "application/offset+octet-stream";

async function ask(json: object = {}, token = anna.token, path = "/inbox"): Promise<RequestInfo> {
  const answer = await app.call("POST", `/api/request${path}`, { token, json });
  assert.equal(answer.status, 200, await answer.clone().text());
  return await answer.json();
}

function enter(hash: string, json: object = {}, from?: string): Promise<Response> {
  return app.call("POST", `/api/public/request/${hash}`, { json, from });
}

async function tokenFor(hash: string, json?: object): Promise<string> {
  const answer = await enter(hash, json);
  assert.equal(answer.status, 200, await answer.clone().text());
  return (await answer.json()).token;
}

function begin(hash: string, token: string, name: string, length: number, more: {
  sender?: string;
  body?: string;
} = {}): Promise<Response> {
  const text = (value: string) => new TextEncoder().encode(value).toBase64();
  const sender = more.sender ? `,sender ${text(more.sender)}` : "";
  const headers: Record<string, string> = {
    "x-request-token": token,
    "upload-length": String(length),
    "upload-metadata": `filename ${text(name)}${sender}`,
    ...more.body !== undefined && { "content-type": type },
  };
  const body = more.body;
  return app.call("POST", `/api/public/request/${hash}/files`, { headers, body });
}

async function send(hash: string, token: string, name: string, body: string, sender?: string) {
  const answer = await begin(hash, token, name, body.length, { body, sender });
  await answer.body?.cancel();
  return answer.status;
}

function listed(folder: string): string[] {
  return filesBelow(join(app.root, "anna"), `${folder}/`);
}

function go(method: string, path: string, token: string, more: CallOptions = {}) {
  const headers = { "x-request-token": token, ...more.headers };
  return app.call(method, path, { ...more, headers });
}

Deno.test("requests: a visitor reads, lists and describes nothing, whatever the address", async () => {
  const { hash } = await ask();
  const token = await tokenFor(hash);
  const ways = [
    "/own.txt",
    "/files/own.txt",
    "/files/../own.txt",
    "/files/%2e%2e/own.txt",
    "/photos/",
    "/",
    "",
    "/files",
    "/files/x/own.txt",
  ];
  for (const way of ways) {
    for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
      const answer = await go(method, `/api/public/request/${hash}${way}`, token);
      const text = await answer.text();
      assert.ok(answer.status >= 400, `${method} ${way}: ${answer.status}`);
      assert.ok(!text.includes("sea.jpg"), way);
    }
  }
  const told = await (await enter(hash)).json();
  assert.ok(!/inbox|anna\/|own\.txt/.test(JSON.stringify(told)));
});

Deno.test("requests: a request is no share, and a share no request", async () => {
  const { hash } = await ask();
  for (const way of ["share", "dl", "preview/thumb"]) {
    const answer = await app.call("GET", `/api/public/${way}/${hash}`);
    await assertRefused(answer, 404, "not_found");
  }
  assert.equal((await app.call("GET", `/share/${hash}`)).status, 404);
  const json = { password: "open sesame" };
  const shared = await app.call("POST", "/api/share/inbox", { token: anna.token, json });
  const share = await shared.json();
  await assertRefused(await enter(share.hash), 404, "not_found");
  assert.equal((await app.call("GET", `/request/${share.hash}`)).status, 404);
  await assertRefused(await begin(hash, share.token, "a.txt", 1), 401, "password_required");
  const token = await tokenFor(hash);
  const asShare = await app.call("GET", `/api/public/dl/${share.hash}?token=${token}`);
  await assertRefused(asShare, 401, "password_required");
  const asSession = await app.call("GET", "/api/resources/", { token });
  await assertRefused(asSession, 401, "not_signed_in");
  const other = await ask();
  await assertRefused(await begin(other.hash, token, "a.txt", 1), 401, "password_required");
});

Deno.test("requests: nothing is overwritten, by name, by case, by number, at once", async () => {
  const { hash } = await ask();
  const token = await tokenFor(hash);
  const names = ["own.txt", "own.txt", "photos/sea.jpg", "photos"];
  for (const name of names) assert.equal(await send(hash, token, name, "new"), 201);
  assert.equal(Deno.readTextFileSync(join(app.root, "anna/inbox/own.txt")), "own");
  assert.equal(Deno.readTextFileSync(join(app.root, "anna/inbox/photos/sea.jpg")), "sea");
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, index) => send(hash, token, "same.txt", `text ${index}`)),
  );
  assert.ok(all.every((status) => status === 201));
  const same = listed("inbox").filter((name) => name.includes("same"));
  const texts = same.map((name) => Deno.readTextFileSync(join(app.root, "anna", name)));
  assert.equal(new Set(texts).size, 20);
});

Deno.test("requests: the owner's own upload of the same path is neither seen nor dropped", async () => {
  const { hash } = await ask();
  const token = await tokenFor(hash);
  const headers = { "upload-length": "9" };
  const own = await app.call("POST", "/api/tus/inbox/twin.txt", { token: anna.token, headers });
  await assertStatus(own, 201);
  const begun = await begin(hash, token, "twin.txt", 5);
  const location = begun.headers.get("location") ?? "";
  await assertStatus(await go("DELETE", location, token), 204);
  const state = await app.call("HEAD", "/api/tus/inbox/twin.txt", { token: anna.token });
  assert.equal(state.headers.get("upload-length"), "9");
  await app.call("DELETE", "/api/tus/inbox/twin.txt", { token: anna.token });
});

Deno.test("requests: an upload is found by its id alone, and only by its own request", async () => {
  const [one, two] = [await ask(), await ask()];
  const [first, second] = [await tokenFor(one.hash), await tokenFor(two.hash)];
  const begun = await begin(one.hash, first, "a.txt", 3);
  assert.equal(begun.status, 201);
  const id = begun.headers.get("location")?.split("/").at(-1) ?? "";
  assert.match(id, /^[\w-]{22}$/);
  const foreign = await go("HEAD", `/api/public/request/${two.hash}/files/${id}`, second);
  assert.equal(foreign.status, 404);
  for (const guess of ["a.txt", "AAAAAAAAAAAAAAAAAAAAAA"]) {
    const answer = await go("HEAD", `/api/public/request/${one.hash}/files/${guess}`, first);
    assert.equal(answer.status, 404, guess);
  }
  const bare = await app.call("HEAD", `/api/public/request/${one.hash}/files/${id}`);
  assert.equal(bare.status, 401);
});

Deno.test("requests: of fifty uploads at once as many pass as the limit of files says", async () => {
  const { hash } = await ask({ maxFiles: 5 });
  const token = await tokenFor(hash);
  const statuses = await Promise.all(
    Array.from({ length: 50 }, (_, index) => send(hash, token, `limit ${index}.txt`, "x")),
  );
  assert.equal(statuses.filter((status) => status === 201).length, 5);
  assert.equal(statuses.filter((status) => status === 403).length, 45);
  assert.equal(listed("inbox").filter((name) => name.includes("limit ")).length, 5);
});

Deno.test("requests: a visitor is told of the last file that is taken, and not before", async () => {
  const { hash } = await ask({ maxFiles: 2 });
  const token = await tokenFor(hash);
  const isFull = async () => (await (await enter(hash)).json()).isFull;
  assert.equal(await isFull(), false);
  assert.equal(await send(hash, token, "first of two.txt", "x"), 201);
  assert.equal(await isFull(), false);
  assert.equal(await send(hash, token, "second of two.txt", "x"), 201);
  assert.equal(await isFull(), true);
});

Deno.test("requests: of fifty uploads at once as many bytes pass as the limit says", async () => {
  const { hash } = await ask({ maxTotalSize: 100, maxFileSize: 30 });
  const token = await tokenFor(hash);
  assert.equal(await send(hash, token, "large.txt", "x".repeat(31)), 413);
  const statuses = await Promise.all(
    Array.from(
      { length: 50 },
      (_, index) => send(hash, token, `size ${index}.txt`, "x".repeat(20)),
    ),
  );
  assert.equal(statuses.filter((status) => status === 201).length, 5);
  const more = await begin(hash, token, "lied.txt", 0, { body: "x".repeat(50) });
  await assertRefused(more, 413, "body_too_large");
});

Deno.test("requests: names of strangers lead nowhere else, and are names on every system", async () => {
  const { hash } = await ask();
  const token = await tokenFor(hash);
  const before = listed("private");
  const names = {
    "../private/key.txt": "inbox/private/key.txt",
    "/etc/passwd": "inbox/etc/passwd",
    "..\\..\\win.txt": "inbox/win.txt",
    "C:\\x\\y.txt": "inbox/C_/x/y.txt",
    ".htaccess": "inbox/_htaccess",
    ".git/config": "inbox/_git/config",
    ".cubby-trash": "inbox/_cubby-trash",
    "CON": "inbox/_CON",
    "nul.txt": "inbox/_nul.txt",
    "com1.tar.gz": "inbox/_com1.tar.gz",
    "dot. .": "inbox/dot",
    "a\u0000b\nc.txt": "inbox/abc.txt",
    "evil\u202egpj.exe": "inbox/evilgpj.exe",
    'q"?*<>|:.txt': "inbox/q_______.txt",
    "raw\uef80.txt": "inbox/raw_.txt",
    "": "inbox/file",
    "#%?日本 `.txt": "inbox/#%_日本 `.txt",
  };
  for (const [name, arrived] of Object.entries(names)) {
    assert.equal(await send(hash, token, name, "x"), 201, name);
    assert.ok(listed("inbox").includes(arrived), `${name}: ${listed("inbox").join(", ")}`);
  }
  assert.equal(await send(hash, token, `${"長".repeat(300)}.txt`, "x"), 201);
  assert.equal(await send(hash, token, "sender.txt", "x", "../Anna/. "), 201);
  const day = new Date().toISOString().slice(0, 10);
  assert.ok(listed("inbox").includes(`inbox/__Anna_ - ${day}/sender.txt`), listed("inbox").join());
  assert.deepEqual(listed("private"), before);
});

Deno.test("requests: no link in the folder leads a visitor out of it", async () => {
  const { hash } = await ask();
  const token = await tokenFor(hash);
  await Deno.symlink("../private", join(app.root, "anna/inbox/door"));
  await Deno.symlink("../private/new.txt", join(app.root, "anna/inbox/hole.txt"));
  assert.equal(await send(hash, token, "door/x.txt", "x"), 403);
  const status = await send(hash, token, "hole.txt", "x");
  assert.ok([201, 403].includes(status), String(status));
  assert.deepEqual(listed("private"), ["private/key.txt"]);
  await Deno.remove(join(app.root, "anna/inbox/door"));
  await Deno.remove(join(app.root, "anna/inbox/hole.txt"));
});

Deno.test("requests: rules, permissions and the owner count when the bytes come", async () => {
  const { user, token: own } = await app.addUser("ruled", { scope: "/anna" });
  const { hash } = await ask({}, own);
  const token = await tokenFor(hash);
  const begun = await begin(hash, token, "late.txt", 3);
  const location = begun.headers.get("location") ?? "";
  const part = () =>
    go("PATCH", location, token, {
      headers: { "content-type": type, "upload-offset": "0" },
      body: "abc",
    });
  const { users } = app.cubby;
  await users.update(user.id, { rules: [deny("/inbox/late.txt")] });
  await assertRefused(await part(), 403, "forbidden");
  await users.update(user.id, { rules: [] });
  for (const name of ["share", "create"] as const) {
    await users.update(user.id, { perm: { ...user.perm, [name]: false } });
    await assertRefused(await part(), 403, "forbidden");
    await assertRefused(await enter(hash), 403, "forbidden");
    await users.update(user.id, { perm: user.perm });
  }
  await users.update(user.id, { scope: "/elsewhere" });
  await assertRefused(await part(), 404, "not_found");
  await users.update(user.id, { scope: "/anna" });
  await users.remove(user.id);
  await assertRefused(await part(), 403, "forbidden");
  assert.ok(!listed("inbox").includes("inbox/late.txt"));
});

Deno.test("requests: a file in place of the folder takes nothing", async () => {
  const folder = join(app.root, "anna/replaced");
  await Deno.mkdir(folder);
  const { hash } = await ask({}, anna.token, "/replaced");
  const token = await tokenFor(hash);
  await Deno.remove(folder);
  await Deno.writeTextFile(folder, "no folder");
  await assertRefused(await enter(hash), 404, "not_found");
  await assertRefused(await begin(hash, token, "a.txt", 1, { body: "x" }), 404, "not_found");
});

Deno.test("requests: a change or an end voids the tokens of visitors", async () => {
  const { hash } = await ask({ password: "open sesame" });
  await assertRefused(await enter(hash), 401, "password_required");
  const token = await tokenFor(hash, { password: "open sesame" });
  const options = { token: anna.token, json: { kinds: ["jpg"] } };
  await assertStatus(await app.call("PATCH", `/api/request/${hash}`, options), 200);
  await assertRefused(await begin(hash, token, "a.jpg", 1), 401, "password_required");
  const fresh = await tokenFor(hash, { password: "open sesame" });
  assert.equal(await send(hash, fresh, "a.exe", "x"), 415);
  assert.equal(await send(hash, fresh, "a.jpg.exe", "x"), 415);
  assert.equal(await send(hash, fresh, "a.JPG", "x"), 201);
  await assertStatus(await app.call("DELETE", `/api/request/${hash}`, { token: anna.token }), 200);
  await assertRefused(await begin(hash, fresh, "b.jpg", 1), 404, "not_found");
});

Deno.test("requests: passwords are guessed as seldom as those of shares", async () => {
  const { hash } = await ask({ password: "open sesame" });
  const statuses = [];
  for (let time = 0; time < 7; time++) {
    const answer = await enter(hash, { password: "wrong" });
    await answer.body?.cancel();
    statuses.push(answer.status);
  }
  assert.deepEqual(statuses.slice(0, 5), [401, 401, 401, 401, 401]);
  assert.equal(statuses[6], 429);
});

Deno.test("a request for a folder whose path is too long for a record is refused", async () => {
  // A control character takes six characters of a record as JSON, and the path is in it twice.
  const name = "\x01".repeat(250);
  const deep = (levels: number) => `/${Array(levels).fill(name).join("/")}`;
  const made = await app.call("POST", `/api/resources${encodeURI(deep(10))}/`, anna);
  await assertStatus(made, 200);
  const ask = (levels: number) =>
    app.call("POST", `/api/request${encodeURI(deep(levels))}`, { token: anna.token, json: {} });
  const told = await assertRefused(await ask(10), 400, "invalid_body");
  assert.match(told, /^Cannot request files for .*: it has more than 30000 characters$/s);
  await assertStatus(await ask(9), 200);
});
