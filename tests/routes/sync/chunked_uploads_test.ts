/** Uploads in chunks: what they make of a file. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { createHash } from "node:crypto";
import { basic } from "../../support/clients/dav.ts";
import { userPassword } from "../../support/server/app_parts.ts";
import { assertStatus } from "../../support/server/refused.ts";
import { addressOf, app, assertNothingLeft, chunksIn, read, uploadOf } from "./chunked_upload.ts";

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
