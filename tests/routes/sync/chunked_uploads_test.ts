/** Uploads in chunks, as clients of Nextcloud and ownCloud send them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { createHash } from "node:crypto";
import { startApp } from "../../support/server/app.ts";
import { basic } from "../../support/clients/dav.ts";
import { userPassword } from "../../support/server/app_parts.ts";
import { assertStatus } from "../../support/server/refused.ts";
import { uploadParts } from "../../../lib/server/files/upload/upload_parts.ts";
import { uploadChunks } from "../../../lib/server/files/upload/upload_chunks.ts";

const app = await startApp({
  config: { syncClients: true },
  inProcess: true,
  tree: {
    "taken.txt": "taken",
    folder: { "b.txt": "b" },
    anna: { "own.txt": "own", deep: { er: {} } },
    ben: {},
  },
});
Deno.test.afterAll(app.close);
await app.addUser("anna", { scope: "anna" });
await app.addUser("ben", { scope: "ben" });

let count = 0;

/** An upload of a user with a name of its own. */
function uploadOf(username = "anna", authorization = basic(username, userPassword)) {
  const name = `upload-${++count}`;
  const at = (path: string) => `/remote.php/dav/uploads/${username}/${name}${path}`;
  const call = (
    method: string,
    path: string,
    options: { body?: BodyInit; headers?: object } = {},
  ) =>
    app.call(method, at(path), {
      body: options.body,
      headers: { authorization, ...options.headers },
    });
  return {
    name,
    at,
    call,
    begin: (headers = {}) => call("MKCOL", "", { headers }),
    put: (chunk: string, body: string | Uint8Array<ArrayBuffer>, headers = {}) =>
      call("PUT", `/${chunk}`, {
        body,
        headers: { "content-length": String(body.length), ...headers },
      }),
    move: (path: string, headers = {}) =>
      call("MOVE", "/.file", { headers: { destination: addressOf(username, path), ...headers } }),
    list: () => call("PROPFIND", "", { headers: { depth: "1" } }),
    drop: () => call("DELETE", ""),
  };
}

function addressOf(username: string, path: string): string {
  return `http://cubby.test/remote.php/dav/files/${username}${path}`;
}

const read = (path: string) => Deno.readTextFile(join(app.root, path));

function hidden(folder: string): string[] {
  return [...Deno.readDirSync(join(app.root, folder))].map(({ name }) => name)
    .filter((name) => name.startsWith("."));
}

async function chunksIn(answer: Response): Promise<[name: string, length: number][]> {
  assert.equal(answer.status, 207);
  const text = await answer.text();
  return [...text.matchAll(/<d:href>([^<]*)<\/d:href>.*?<d:getcontentlength>(\d+)</g)]
    .map(([, href = "", length]) => [href.split("/").at(-1) ?? "", Number(length)]);
}

async function assertNothingLeft(folder: string): Promise<void> {
  assert.deepEqual(hidden(folder), []);
  assert.deepEqual(await uploadParts.list(app.cubby.store), []);
  assert.deepEqual(await uploadChunks.list(app.cubby.store), []);
}

Deno.test("without --sync-clients there are no uploads in chunks", async () => {
  await using off = await startApp({ config: { webdav: true } });
  const headers = { authorization: basic("admin", off.admin.password) };
  await assertStatus(await off.call("PUT", "/remote.php/dav/uploads/admin/1/1", { headers }), 404);
  await assertStatus(await off.call("MKCOL", "/remote.php/dav/uploads/admin/1", { headers }), 405);
});

Deno.test("an upload of another user, or without a sign-in, is not there", async () => {
  const own = uploadOf();
  await assertStatus(await own.begin(), 201);
  const call = (method: string, headers = {}) => app.call(method, own.at("/1"), { headers });
  await assertStatus(await call("PUT"), 401);
  const ben = { authorization: basic("ben", userPassword), "content-length": "0" };
  await assertStatus(await call("PUT", ben), 404);
  await assertStatus(await call("PROPFIND", ben), 404);
  const as = (path: string) => path.replace("/anna/", "/ben/");
  await assertStatus(await app.call("PUT", as(own.at("/1")), { headers: ben }), 404);
  await assertStatus(await app.call("DELETE", as(own.at("")), { headers: ben }), 404);
  await assertStatus(await own.drop(), 204);
  await assertNothingLeft("anna");
});

Deno.test("an upload that was not begun, or has no such chunk, is not there", async () => {
  const upload = uploadOf();
  await assertStatus(await upload.put("1", "a"), 404);
  await assertStatus(await upload.list(), 404);
  await assertStatus(await upload.move("/new.txt"), 404);
  await assertStatus(await upload.drop(), 404);
  await assertStatus(await upload.begin(), 201);
  await assertStatus(await upload.begin(), 405);
  await assertStatus(await upload.call("DELETE", "/7"), 404);
  await assertStatus(await upload.call("PROPFIND", "/7"), 404);
  for (const name of ["a", ".file", "..", "1/2", "%2e%2e%2fx", "-1", "1%00"]) {
    assert.ok([400, 404].includes((await upload.put(name, "x")).status), name);
  }
  await assertStatus(await upload.drop(), 204);
  await assertNothingLeft("anna");
});

Deno.test("MKCOL refuses a target out of reach, and a length that does not fit", async () => {
  const upload = uploadOf();
  const to = (path: string) => ({ destination: addressOf("anna", path) });
  await assertStatus(await upload.begin(to("/none/new.txt")), 409);
  await assertStatus(await upload.begin(to("/deep")), 405);
  await assertStatus(await upload.begin({ ...to("/own.txt"), overwrite: "F" }), 412);
  await assertStatus(await upload.begin({ ...to("/own.txt"), "if-none-match": "*" }), 412);
  await assertStatus(await upload.begin({ destination: addressOf("ben", "/a.txt") }), 404);
  await assertStatus(await upload.begin({ destination: "http://other.test/a.txt" }), 502);
  await assertStatus(
    await upload.begin({ ...to("/new.txt"), "oc-total-length": "999999999999999" }),
    507,
  );
  await assertStatus(await upload.begin({ "oc-total-length": "999999999999999" }), 507);
  await assertNothingLeft("anna");
});

Deno.test("a quota refuses the whole length before the first byte", async () => {
  await Deno.mkdir(join(app.root, "quota"), { recursive: true });
  await app.addUser("quota", { scope: "quota", quota: { bytes: 1000 } });
  const upload = uploadOf("quota");
  const refused = await upload.begin({ "oc-total-length": "2000" });
  assert.equal(refused.status, 507);
  assert.match(await refused.text(), /Cannot begin the upload: the quota of 1000 bytes/);
  await assertStatus(await upload.begin({ "oc-total-length": "800" }), 201);
  const other = uploadOf("quota");
  await assertStatus(await other.begin({ "oc-total-length": "800" }), 507);
  await assertStatus(await other.begin(), 201);
  await assertStatus(await other.put("1", "x".repeat(800)), 507);
  await assertStatus(await upload.drop(), 204);
  await assertStatus(await other.put("1", "x".repeat(800)), 201);
  await assertStatus(await other.put("2", "x".repeat(800)), 507);
  await assertStatus(await other.move("/a.bin"), 201);
  assert.equal((await read("quota/a.bin")).length, 800);
  await assertStatus(await uploadOf("quota").begin({ "oc-total-length": "300" }), 507);
  await assertNothingLeft("quota");
});

Deno.test("rights, rules and read-only tokens count for each step", async () => {
  await app.addUser("reader", { scope: "anna", perm: { create: false, modify: false } });
  await assertStatus(await uploadOf("reader").begin(), 403);
  await app.addUser("editor", { scope: "anna", perm: { create: false } });
  await Deno.writeTextFile(join(app.root, "anna/edited.txt"), "before");
  for (const destination of [undefined, addressOf("editor", "/edited.txt")]) {
    const edit = uploadOf("editor");
    await assertStatus(await edit.begin(destination ? { destination } : {}), 201);
    await assertStatus(await edit.put("1", `after ${destination}`), 201);
    await assertStatus(await edit.move("/made.txt"), 403);
    await assertStatus(await edit.move("/edited.txt"), 204);
    assert.equal(await read("anna/edited.txt"), `after ${destination}`);
  }
  await app.addUser("ruled", {
    scope: "ben",
    rules: [{ path: "/closed", allow: false }] as never,
  });
  const denied = uploadOf("ruled");
  await assertStatus(
    await denied.begin({ destination: addressOf("ruled", "/closed/a.txt") }),
    403,
  );
  await assertStatus(await denied.begin(), 201);
  await assertStatus(await denied.put("1", "a"), 201);
  await assertStatus(await denied.move("/closed/a.txt"), 403);
  await assertStatus(await denied.drop(), 204);
  await app.addUser("keeper", { scope: "anna", perm: { modify: false } });
  const keeper = uploadOf("keeper");
  await assertStatus(
    await keeper.begin({ destination: addressOf("keeper", "/own.txt") }),
    403,
  );
  await assertStatus(await keeper.begin(), 201);
  await assertStatus(await keeper.put("1", "a"), 201);
  await assertStatus(await keeper.move("/own.txt"), 403);
  await assertStatus(await keeper.move("/kept-new.txt"), 201);
  assert.equal(await read("anna/own.txt"), "own");
  await assertNothingLeft("anna");
});

Deno.test("a token does not continue what another, or a password, has begun", async () => {
  const session = await app.tokenOf("anna");
  const token = async (body: object) => {
    const answer = await app.call("POST", "/api/tokens", {
      token: session,
      json: { current_password: userPassword, ...body },
    });
    assert.equal(answer.status, 201, await answer.clone().text());
    const { token } = await answer.json();
    return basic("anna", token);
  };
  const own = await token({ name: "one", write: true });
  const other = await token({ name: "two", write: true });
  const reading = await token({ name: "three" });
  const bound = await token({ name: "four", write: true, folder: "/deep" });
  await assertStatus(await uploadOf("anna", reading).begin(), 403);
  const upload = uploadOf("anna", own);
  await assertStatus(await upload.begin(), 201);
  await assertStatus(await upload.put("1", "mine"), 201);
  for (const authorization of [other, bound, basic("anna", userPassword)]) {
    const headers = { authorization, "content-length": "1" };
    await assertStatus(await upload.call("PUT", "/1", { body: "x", headers }), 404);
    await assertStatus(await upload.call("PROPFIND", "", { headers }), 404);
    await assertStatus(await upload.call("DELETE", "", { headers }), 404);
  }
  await assertStatus(await upload.move("/by token.txt"), 201);
  assert.equal(await read("anna/by token.txt"), "mine");
  const inFolder = uploadOf("anna", bound);
  await assertStatus(await inFolder.begin(), 201);
  await assertStatus(await inFolder.put("1", "bound"), 201);
  assert.equal(hidden("anna/deep").length, 1);
  await assertStatus(await inFolder.move("/../bound.txt"), 404);
  await assertStatus(await inFolder.move("/bound.txt"), 201);
  assert.equal(await read("anna/deep/bound.txt"), "bound");
  await assertNothingLeft("anna");
});

Deno.test("chunks of a wrong length in all, or in themselves, make no file", async () => {
  const upload = uploadOf();
  await assertStatus(await upload.begin({ "oc-total-length": "10" }), 201);
  await assertStatus(await upload.move("/sum.txt"), 400);
  await assertStatus(await upload.put("1", "12345"), 201);
  const answer = await upload.move("/sum.txt", { "oc-total-length": "10" });
  assert.equal(answer.status, 400);
  assert.match(await answer.text(), /Chunks on server do not sum up to 10 but to 5 bytes/);
  await assertStatus(await upload.put("2", "123456"), 413);
  await assertStatus(await upload.put("2", "123", { "content-length": "5" }), 400);
  await assertStatus(await upload.call("PUT", "/2"), 400);
  assert.deepEqual(await chunksIn(await upload.list()), [["1", 5]]);
  await assertStatus(await upload.put("2", "67890"), 201);
  const wrong = await upload.move("/sum.txt", { "oc-checksum": "SHA1:00" });
  assert.ok([400, 460].includes(wrong.status));
  await assertStatus(await upload.move("/sum.txt", { "oc-total-length": "11" }), 400);
  const digest = createHash("sha1").update("1234567890").digest("hex");
  await assertStatus(await upload.move("/sum.txt", { "oc-checksum": `SHA1:${digest}` }), 201);
  assert.equal(await read("anna/sum.txt"), "1234567890");
  await assertNothingLeft("anna");
});

Deno.test("a checksum holds for what is in the file, however the chunks came", async () => {
  const sum = (kind: string, text: string) => ({
    "oc-checksum": `${kind.toUpperCase()}:${createHash(kind).update(text).digest("hex")}`,
  });
  for (const order of ["123", "321", "213", "1223", "1231", "132"]) {
    for (const kind of ["sha1", "md5", "sha256"]) {
      const upload = uploadOf();
      await assertStatus(await upload.begin(), 201);
      const sent: Record<string, string> = {};
      for (const [turn, name] of [...order].entries()) {
        sent[name] = `<${name} at ${turn}>`;
        assert.ok((await upload.put(name, sent[name])).ok);
      }
      const whole = Object.values(sent).join("");
      const stale = whole.replace(/at \d/g, "at 0");
      await assertStatus(await upload.move("/summed.txt", sum(kind, stale)), 400, order);
      await assertStatus(await upload.move("/summed.txt", sum(kind, whole)), 201, order);
      assert.equal(await read("anna/summed.txt"), whole);
      await Deno.remove(join(app.root, "anna/summed.txt"));
    }
  }
  await assertNothingLeft("anna");
});

Deno.test("a file is the chunks in the order of their names, however they came", async () => {
  const whole = Array.from({ length: 12 }, (_, index) => `<${index}>`);
  const orders: [string, string[]][] = [
    ["numbers", whole.map((_, index) => String(index + 1))],
    ["padded", whole.map((_, index) => String(index + 1).padStart(5, "0"))],
    ["from zero", whole.map((_, index) => String(index))],
    ["offsets", whole.map((_, at) => String(whole.slice(0, at).join("").length).padStart(16, "0"))],
    [
      "ranges",
      whole.map((text, at) => {
        const start = whole.slice(0, at).join("").length;
        return [start, start + text.length - 1].map((n) => String(n).padStart(15, "0")).join("-");
      }),
    ],
  ];
  for (const [told, names] of orders) {
    for (const order of ["in order", "in reverse", "mixed"]) {
      for (const isAnnounced of [true, false]) {
        const upload = uploadOf();
        const length = { "oc-total-length": String(whole.join("").length) };
        await assertStatus(await upload.begin(isAnnounced ? length : {}), 201);
        const indexes = [...names.keys()];
        if (order === "in reverse") indexes.reverse();
        if (order === "mixed") indexes.sort((a, b) => (a * 7) % 12 - (b * 7) % 12);
        for (const index of indexes) {
          await assertStatus(await upload.put(names[index] ?? "", whole[index] ?? ""), 201);
        }
        const listed = await chunksIn(await upload.list());
        assert.deepEqual(listed.map(([name]) => name), names);
        await assertStatus(await upload.move("/ordered.txt", length), 201);
        assert.equal(await read("anna/ordered.txt"), whole.join(""), `${told}, ${order}`);
        await Deno.remove(join(app.root, "anna/ordered.txt"));
      }
    }
  }
  await assertNothingLeft("anna");
});

Deno.test("chunks that come at the same time do not disturb each other", async () => {
  const upload = uploadOf();
  const chunks = Array.from(
    { length: 8 },
    (_, index) => new Uint8Array(300_000 + index * 1000).fill(index),
  );
  await assertStatus(await upload.begin({ destination: addressOf("anna", "/parallel.bin") }), 201);
  const answers = await Promise.all(
    chunks.map((bytes, index) => upload.put(String(index + 1), bytes)),
  );
  for (const answer of answers) await assertStatus(answer, 201);
  await assertStatus(await upload.move("/parallel.bin"), 201);
  const found = await Deno.readFile(join(app.root, "anna/parallel.bin"));
  const expected = createHash("sha1");
  for (const bytes of chunks) expected.update(bytes);
  assert.equal(createHash("sha1").update(found).digest("hex"), expected.digest("hex"));
  await assertNothingLeft("anna");
});

Deno.test("a chunk that is sent again counts as it is then, and one that is dropped not", async () => {
  const upload = uploadOf();
  await assertStatus(await upload.begin(), 201);
  await assertStatus(await upload.put("1", "one"), 201);
  await assertStatus(await upload.put("2", "two"), 201);
  await assertStatus(await upload.put("1", "longer than before"), 204);
  await assertStatus(await upload.put("3", "stale"), 201);
  await assertStatus(await upload.call("DELETE", "/3"), 204);
  await assertStatus(await upload.put("00002", "other name"), 201);
  await assertStatus(await upload.call("DELETE", "/00002"), 204);
  assert.deepEqual(await chunksIn(await upload.list()), [["1", 18], ["2", 3]]);
  await assertStatus(await upload.move("/again.txt"), 201);
  assert.equal(await read("anna/again.txt"), "longer than beforetwo");
  await assertNothingLeft("anna");
});

Deno.test("MOVE keeps the time, replaces under conditions, and keeps the former version", async () => {
  const send = async (text: string, headers = {}, path = "/versioned.txt") => {
    const upload = uploadOf();
    await assertStatus(await upload.begin({ destination: addressOf("anna", path) }), 201);
    await assertStatus(await upload.put("00001", text), 201);
    return { upload, answer: await upload.move(path, headers) };
  };
  const { answer } = await send("first", { "x-oc-mtime": "1000000000" });
  assert.deepEqual([answer.status, answer.headers.get("x-oc-mtime")], [201, "accepted"]);
  const etag = answer.headers.get("etag") ?? "";
  assert.match(etag, /^".+"$/);
  assert.equal(answer.headers.get("oc-etag"), etag);
  const { mtime } = await Deno.stat(join(app.root, "anna/versioned.txt"));
  assert.equal(mtime?.getTime(), 1e12);
  const address = addressOf("anna", "/versioned.txt");
  for (
    const headers of [
      { overwrite: "F" },
      { "if-none-match": "*" },
      { "if-match": '"other"' },
      { if: `<${address}> (["other"])` },
    ]
  ) {
    const refused = await send("lost", headers);
    await assertStatus(refused.answer, 412);
    await assertStatus(await refused.upload.drop(), 204);
  }
  assert.equal(await read("anna/versioned.txt"), "first");
  const second = await send("second", { if: `<${address}> ([${etag}])` });
  assert.equal(second.answer.status, 204);
  assert.equal(await read("anna/versioned.txt"), "second");
  const token = await app.tokenOf("anna");
  const versions = await app.call("GET", "/api/trash?versions=/versioned.txt", { token });
  assert.equal((await versions.json()).items.length, 1);
  for (const path of ["/none/new.txt", "/deep", "/deep/er/"]) {
    const upload = uploadOf();
    await assertStatus(await upload.begin(), 201);
    await assertStatus(await upload.put("1", "a"), 201);
    assert.ok([405, 409].includes((await upload.move(path)).status), path);
    await assertStatus(await upload.drop(), 204);
  }
  await assertNothingLeft("anna");
});

Deno.test("a lock of another keeps the file as it is", async () => {
  const lock = `<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope>` +
    "<D:locktype><D:write/></D:locktype></D:lockinfo>";
  await app.addUser("locker", { scope: "anna" });
  const locked = await app.call("LOCK", "/remote.php/dav/files/locker/own.txt", {
    headers: { authorization: basic("locker", userPassword), depth: "0" },
    body: lock,
  });
  assert.equal(locked.status, 200);
  const upload = uploadOf();
  await assertStatus(await upload.begin(), 201);
  await assertStatus(await upload.put("1", "stolen"), 201);
  await assertStatus(await upload.move("/own.txt"), 423);
  await assertStatus(await upload.drop(), 204);
  assert.equal(await read("anna/own.txt"), "own");
  const unlock = await app.call("UNLOCK", "/remote.php/dav/files/locker/own.txt", {
    headers: {
      authorization: basic("locker", userPassword),
      "lock-token": locked.headers.get("lock-token") ?? "",
    },
  });
  await assertStatus(unlock, 204);
});

Deno.test("a MOVE that is repeated is answered as done, and writes nothing twice", async () => {
  const upload = uploadOf();
  await assertStatus(await upload.begin({ "oc-total-length": "3" }), 201);
  await assertStatus(await upload.put("1", "abc"), 201);
  const headers = { "if-none-match": "*", "oc-total-length": "3", "x-oc-mtime": "1000000000" };
  const first = await upload.move("/repeated.txt", headers);
  assert.equal(first.status, 201);
  const again = await upload.move("/repeated.txt", headers);
  assert.equal(again.status, 204);
  assert.equal(again.headers.get("etag"), first.headers.get("etag"));
  await assertStatus(await upload.move("/elsewhere.txt"), 404);
  await Deno.writeTextFile(join(app.root, "anna/repeated.txt"), "changed by another");
  await assertStatus(await upload.move("/repeated.txt", headers), 404);
  assert.equal(await read("anna/repeated.txt"), "changed by another");
  const both = uploadOf();
  await assertStatus(await both.begin(), 201);
  await assertStatus(await both.put("1", "once"), 201);
  const answers = await Promise.all([both.move("/both.txt"), both.move("/both.txt")]);
  assert.ok(answers.every(({ status }) => status === 201 || status === 204));
  const token = await app.tokenOf("anna");
  const versions = await app.call("GET", "/api/trash?versions=/both.txt", { token });
  assert.deepEqual((await versions.json()).items, []);
  await assertNothingLeft("anna");
});

Deno.test("an upload ends a day after its last chunk, and a cut-off chunk does not count", async () => {
  const upload = uploadOf();
  await assertStatus(await upload.begin(), 201);
  await assertStatus(await upload.put("1", "abc"), 201);
  const cut = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode("de"));
      controller.error(new Error("cut"));
    },
  });
  const broken = await upload.call("PUT", "/2", { body: cut, headers: { "content-length": "4" } });
  await assertStatus(broken, 400);
  assert.deepEqual(await chunksIn(await upload.list()), [["1", 3]]);
  await app.later(25 * 60 * 60_000, async () => {
    await assertStatus(await upload.list(), 404);
    await assertStatus(await upload.move("/late.txt"), 404);
    await assertStatus(await upload.begin(), 201);
    assert.deepEqual(await chunksIn(await upload.list()), []);
    await assertStatus(await upload.drop(), 204);
  });
  await assertNothingLeft("anna");
});
