/** Several requests that write to one upload. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { delay } from "../../../lib/shared/delay.ts";
import { temporaryFolder } from "../../support/disks/files.ts";
import { startApp, type TestApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const partType = "application/offset+octet-stream";
const encoder = new TextEncoder();

/** Two nodes: applications of their own on one store and one folder. */
const folder = await temporaryFolder();
const config = { root: join(folder.path, "root"), database: join(folder.path, "cubby.kv") };
const first = await startApp({ inProcess: true, config });
const second = await startApp({ inProcess: true, config });
const token = await first.tokenOf("admin");
Deno.test.afterAll(async () => {
  await first.close();
  await second.close();
  await folder[Symbol.asyncDispose]();
});

async function begin(path: string, length: number): Promise<void> {
  const headers = { "upload-length": `${length}` };
  await assertStatus(await first.call("POST", `/api/tus${path}`, { token, headers }), 201);
}

function send(app: TestApp, path: string, offset: number, body: BodyInit, more = {}) {
  const headers = { "upload-offset": `${offset}`, "content-type": partType, ...more };
  return app.call("PATCH", `/api/tus${path}`, { token, body, headers });
}

/** A request whose body falls silent after its first bytes. */
function silent(app: TestApp, path: string, offset: number, start: string, more = {}) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  controller?.enqueue(encoder.encode(start));
  const answer = send(app, path, offset, body, more);
  const say = (text: string) => {
    try {
      controller?.enqueue(encoder.encode(text));
    } catch {
      // It is cut off.
    }
  };
  return { answer, say, end: () => controller?.close() };
}

async function offsetOf(app: TestApp, path: string): Promise<number> {
  const answer = await app.call("HEAD", `/api/tus${path}`, { token });
  await assertStatus(answer, 200);
  return Number(answer.headers.get("upload-offset"));
}

/** Waits until an upload is so large on the disk. */
async function untilLarge(size: number): Promise<void> {
  const sizes = () =>
    [...Deno.readDirSync(config.root)].filter(({ name }) => name.startsWith(".cubby-upload-"))
      .map(({ name }) => Deno.statSync(join(config.root, name)).size);
  while (!sizes().includes(size)) await delay(10);
}

const read = (path: string) => Deno.readTextFileSync(join(config.root, path));

for (const [where, other] of [["one node", first], ["two nodes", second]] as const) {
  Deno.test(`a new request takes an upload over from a silent one, on ${where}`, async () => {
    const path = `/${where}.txt`;
    await begin(path, 6);
    const former = silent(first, path, 0, "abc");
    await untilLarge(3);
    assert.equal(await offsetOf(other, path), 3);
    await assertStatus(await send(other, path, 3, "d"), 204);
    former.say("XYZ");
    await assertRefused(await former.answer, 423, "locked");
    former.say("XYZ");
    await assertStatus(await send(other, path, 4, "ef"), 204);
    assert.equal(read(path), "abcdef");
  });

  Deno.test(`what a silent request brought unverified is sent again, on ${where}`, async () => {
    const path = `/${where} sum.txt`;
    await begin(path, 6);
    const sum = (text: string) => ({
      "upload-checksum": `sha256 ${createHash("sha256").update(text).digest("base64")}`,
    });
    const former = silent(first, path, 0, "abX", sum("abcdef"));
    await untilLarge(3);
    assert.equal(await offsetOf(other, path), 0);
    await assertStatus(await send(other, path, 0, "abcdef", sum("abcdef")), 204);
    await assertRefused(await former.answer, 423, "locked");
    assert.equal(read(path), "abcdef");
  });
}

Deno.test("of many requests at once the bytes of one count", async () => {
  await begin("/many.txt", 6);
  const texts = Array.from({ length: 12 }, (_, index) => `${index % 10}`.repeat(6));
  const answers = await Promise.all(
    texts.map((text, index) => send(index % 2 ? first : second, "/many.txt", 0, text)),
  );
  const statuses = await Promise.all(answers.map(async ({ status, body }) => {
    await body?.cancel();
    return status;
  }));
  assert.equal(statuses.filter((status) => status === 204).length, 1, `${statuses}`);
  assert.ok(statuses.every((status) => [204, 404, 409, 423].includes(status)), `${statuses}`);
  assert.match(read("/many.txt"), /^(\d)\1{5}$/);
});

Deno.test("a request that does not know what has come ends no other", async () => {
  await begin("/active.txt", 6);
  const former = silent(first, "/active.txt", 0, "abc");
  await untilLarge(3);
  await assertRefused(await send(second, "/active.txt", 0, "XXXXXX"), 409, "wrong_offset");
  former.say("def");
  former.end();
  await assertStatus(await former.answer, 204);
  assert.equal(read("/active.txt"), "abcdef");
});

Deno.test("an upload is dropped, or begun again, although a silent request sends it", async () => {
  await begin("/gone.txt", 6);
  let former = silent(first, "/gone.txt", 0, "abc");
  await untilLarge(3);
  await assertStatus(await second.call("DELETE", "/api/tus/gone.txt", { token }), 204);
  assert.ok([404, 423].includes((await former.answer).status));
  await begin("/gone.txt", 6);
  former = silent(first, "/gone.txt", 0, "abc");
  await untilLarge(3);
  await begin("/gone.txt", 3);
  assert.ok([404, 423].includes((await former.answer).status));
  await assertStatus(await send(second, "/gone.txt", 0, "new"), 204);
  assert.equal(read("/gone.txt"), "new");
});

Deno.test("bytes that a killed request left unverified do not count", async () => {
  await begin("/killed.txt", 6);
  const { store } = first.cubby;
  const [entry] = await store.list<{ name: string }>(["upload_parts"]);
  assert.ok(entry);
  const writers = [{ id: "killed", until: Date.now() - 1, unverifiedFrom: 0 }];
  await store.atomic((operation) => operation.set(entry.key, { ...entry.value, writers }));
  Deno.writeTextFileSync(join(config.root, entry.value.name), "XXXXXX", { append: true });
  assert.equal(await offsetOf(second, "/killed.txt"), 0);
  await assertStatus(await send(second, "/killed.txt", 0, "abc"), 204);
  assert.equal(await offsetOf(second, "/killed.txt"), 3);
  await assertStatus(await send(second, "/killed.txt", 3, "def"), 204);
  assert.equal(read("/killed.txt"), "abcdef");
});
