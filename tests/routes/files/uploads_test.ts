import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ReceivedFile } from "../../../lib/shared/schemas/upload.ts";
import { type CallOptions, startApp } from "../../support/server/app.ts";
import { type AskedFile, manyFilesBody, receivedCodes } from "../../support/data/many_files.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  tree: { taken: { "a.txt": "former", folder: {} }, "file.txt": "1", empty: {} },
});
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");

const post = (path: string, body: BodyInit, more: CallOptions = {}) =>
  app.call("POST", `/api/uploads${path}`, { token, body, ...more });

/** What became of each file: "200", or the code of its refusal. */
async function send(
  path: string,
  files: readonly AskedFile[],
  more?: CallOptions,
): Promise<string[]> {
  const answer = await post(path, manyFilesBody(files), more);
  assert.equal(answer.status, 200);
  return await receivedCodes(answer);
}

async function undo(job: string): Promise<void> {
  const headers = { prefer: "wait=60" };
  await assertStatus(await app.call("POST", `/api/jobs/${job}/undo`, { token, headers }), 200);
}

const read = (path: string) => Deno.readTextFileSync(join(app.root, path));
const names = (path: string) =>
  [...Deno.readDirSync(join(app.root, path))].map(({ name }) => name).sort();

Deno.test("a body that does not match its list writes nothing", async () => {
  const list = '{"files": [{"path": "x.txt", "size": 3}]}';
  for (
    const body of [
      ...["", "\n", "{}", list, `${list}\n`, `${list}\nab`, `${list}\nabcd`, `[]\n`, `{]\n`],
      '{"files": [{"path": "x.txt"}]}\nabc',
      '{"files": [{"path": "x.txt", "size": -1}]}\n',
      '{"files": [{"path": "x.txt", "size": 1.5}]}\na',
      '{"files": [{"path": 1, "size": 0}]}\n',
      '{"files": [{"path": "x.txt", "size": 0, "sha256": "abc"}]}\n',
      '{"files": [{"path": "x.txt", "size": 0, "overide": true}]}\n',
      '{"files": [], "job": "x"}\n',
      manyFilesBody([{ path: "x.txt", text: "a" }, { path: "x.txt", text: "b" }]),
      manyFilesBody(Array.from({ length: 257 }, (_, index) => ({ path: `${index}`, text: "" }))),
    ]
  ) {
    const answer = await post("/empty/", body);
    const { code } = await answer.json();
    assert.equal(answer.status, 400, body);
    assert.match(code, /^invalid_(body|json)$/, body);
  }
  await assertRefused(await post("/empty/", `${" ".repeat(300_000)}\n`), 400, "invalid_body");
  await assertRefused(await post("/empty/", "x".repeat(2 ** 20 + 1)), 413, "body_too_large");
  assert.deepEqual(names("empty"), []);
});

Deno.test("a body that breaks off leaves no file, not even a whole one", async () => {
  const whole = new TextEncoder().encode(
    manyFilesBody([{ path: "a.txt", text: "abc" }, { path: "b.txt", text: "def" }]),
  );
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(whole.subarray(0, whole.length - 1));
      controller.error(new TypeError("The connection was reset"));
    },
  });
  await assertRefused(await post("/empty/", body), 400, "invalid_body");
  assert.deepEqual(names("empty"), []);
});

Deno.test("who may not upload is refused, file by file", async () => {
  const body = manyFilesBody([{ path: "a.txt", text: "new" }]);
  await assertRefused(await app.call("POST", "/api/uploads/", { body }), 401, "not_signed_in");
  const { token: weak } = await app.addUser("lea", { perm: { create: false } });
  const { token: half } = await app.addUser("max", { perm: { modify: false } });
  const { token: ruled } = await app.addUser("ida", {
    rules: [{ allow: false, regex: false, path: "/taken/secret", regexp: { raw: "" } }],
  });
  const asked = [{ path: "a.txt", text: "new", override: true }, { path: "new/b.txt", text: "b" }];
  await assertRefused(
    await post("/taken/", manyFilesBody(asked), { token: weak }),
    403,
    "forbidden",
  );
  assert.deepEqual(await send("/taken/", asked, { token: half }), ["forbidden", "200"]);
  const hidden = [{ path: "secret/a.txt", text: "x" }, { path: "seen.txt", text: "x" }];
  assert.deepEqual(await send("/taken/", hidden, { token: ruled }), ["forbidden", "200"]);
  assert.equal(read("taken/a.txt"), "former");
});

Deno.test("each file is refused by itself, and keeps none of the others", async () => {
  const files = [
    { path: "a.txt", text: "new" },
    { path: "folder", text: "x", override: true },
    { path: "../out.txt", text: "x" },
    { path: "sub/", text: "" },
    { path: "n".repeat(300), text: "x" },
    { path: "../../file.txt/below", text: "x" },
    { path: "late.txt", text: "x", modified: 1e18 },
    { path: "sum.txt", text: "abc", sha256: "0".repeat(64) },
    { path: "good #%?日本 `.txt", text: "good" },
  ];
  assert.deepEqual(await send("/taken/", files), [
    ...["exists", "is_folder", "invalid_path", "invalid_path", "invalid_name", "invalid_path"],
    ...["invalid_option", "checksum_mismatch", "200"],
  ]);
  assert.equal(read("taken/a.txt"), "former");
  assert.equal(read("taken/good #%?日本 `.txt"), "good");
  assert.equal(names("taken").some((name) => name.startsWith(".")), false);
});

Deno.test("files are written whole, with their folders, times and tags", async () => {
  const modified = Date.parse("2020-02-02T20:20:20.020Z");
  const sha256 = createHash("sha256").update("日本").digest("hex");
  const files = [
    { path: "one.txt", text: "one", modified },
    { path: "deep/er/two.txt", text: "日本", sha256 },
    { path: "deep/er/empty.txt", text: "" },
    { path: "a.bin", text: "\n{}\n".repeat(100_000) },
  ];
  const answer = await post("/many", manyFilesBody(files));
  assert.equal(answer.status, 200);
  const received: { files: ReceivedFile[] } = await answer.json();
  for (const [index, { path, text }] of files.entries()) {
    assert.equal(read(`many/${path}`), text);
    const described = await app.call("GET", `/api/resources/many/${path}`, { token });
    assert.equal(described.headers.get("etag"), received.files[index]?.etag);
    await described.body?.cancel();
  }
  assert.equal(Deno.statSync(join(app.root, "many/one.txt")).mtime?.getTime(), modified);
});

Deno.test("256 files arrive at once, and none is mixed up", async () => {
  const files = Array.from({ length: 256 }, (_, index) => ({
    path: `${index % 3}/${index}.txt`,
    text: `${index}`.repeat(index),
  }));
  assert.deepEqual(new Set(await send("/full/", files)), new Set(["200"]));
  for (const { path, text } of files) assert.equal(read(`full/${path}`), text);
});

Deno.test("a file with override replaces the former one, which the undo brings back", async () => {
  const job = crypto.randomUUID();
  assert.deepEqual(await send("/", [{ path: "kept.txt", text: "first" }]), ["200"]);
  const second = [{ path: "kept.txt", text: "second", override: true }];
  assert.deepEqual(await send(`/?job=${job}`, second), ["200"]);
  assert.equal(read("kept.txt"), "second");
  await undo(job);
  assert.equal(read("kept.txt"), "first");
});

Deno.test("files that are sent again count as written, if they are the same", async () => {
  const modified = Date.parse("2021-01-01T00:00:00Z");
  const first = [
    { path: "same.txt", text: "same", modified },
    { path: "other.txt", text: "other" },
    { path: "shorter.txt", text: "short" },
  ];
  assert.deepEqual(await send("/again/", first), ["200", "200", "200"]);
  const again = [
    { path: "same.txt", text: "same", modified, resent: true },
    { path: "other.txt", text: "OTHER", resent: true },
    { path: "shorter.txt", text: "shorter", resent: true },
    { path: "new.txt", text: "new", resent: true },
  ];
  assert.deepEqual(await send("/again/", again), ["200", "exists", "exists", "200"]);
  const later = [{ path: "same.txt", text: "same", modified: modified + 1, resent: true }];
  assert.deepEqual(await send("/again/", later), ["exists"]);
  const plain = [{ path: "same.txt", text: "same", modified }];
  assert.deepEqual(await send("/again/", plain), ["exists"]);
});

Deno.test("whether a file has certain bytes is not told to those who may not read it", async () => {
  const { token: blind } = await app.addUser("tim", { perm: { download: false } });
  const files = [{ path: "file.txt", text: "1", resent: true }];
  assert.deepEqual(await send("/", files, { token: blind }), ["exists"]);
});

Deno.test("the files of a request are one job, with its undo", async () => {
  const job = crypto.randomUUID();
  await assertRefused(await post("/?job=short", manyFilesBody([])), 400, "invalid_option");
  const files = Array.from({ length: 100 }, (_, index) => ({ path: `${index}.txt`, text: "x" }));
  for (const part of [files.slice(0, 60), files.slice(60)]) {
    assert.deepEqual(new Set(await send(`/undone/?job=${job}`, part)), new Set(["200"]));
  }
  const begun = await app.call("GET", `/api/jobs/${job}`, { token });
  const { total, done, undo: undoable } = await begun.json();
  assert.deepEqual({ total, done, undoable }, { total: 100, done: 100, undoable: "all" });
  await undo(job);
  assert.deepEqual(names("undone"), []);
});

Deno.test("an API token that may only read uploads nothing", async () => {
  const made = await app.call("POST", "/api/tokens", {
    token,
    json: { name: "reader", write: false, current_password: app.admin.password },
  });
  const { token: reader } = await made.json();
  const body = manyFilesBody([{ path: "by token.txt", text: "x" }]);
  const answer = await app.call("POST", "/api/uploads/", {
    headers: { authorization: `Bearer ${reader}` },
    body,
  });
  await assertRefused(answer, 403, "forbidden");
});
