import assert from "node:assert/strict";
import { saveFile, uploadFile } from "../../../lib/server/files/upload/upload.ts";
import { assertDeniedLater, at } from "../core/access/visitors.ts";
import { bodyOf, brokenBody, pausedBody } from "./streams.ts";
import { keep, override, setUp } from "./uploading.ts";

Deno.test("a body that breaks off leaves nothing, not even the folders it was to go to", async () => {
  await using s = await setUp({ "a.txt": "former", there: {} });
  for (const path of ["/new.txt", "/x/y/new.txt", "/there/z/new.txt", "/a.txt"]) {
    for (const body of [brokenBody(), brokenBody("some", "more")]) {
      await assertDeniedLater(uploadFile(s.access, at(path), body, override), "invalid_body", path);
    }
  }
  await assertDeniedLater(saveFile(s.access, at("/a.txt"), brokenBody("x"), {}), "invalid_body");
  assert.equal(s.text("a.txt"), "former");
  assert.deepEqual(s.all(), ["a.txt", "there"]);
});

Deno.test("a body shorter or longer than announced is refused and leaves nothing", async () => {
  await using s = await setUp({ "a.txt": "former" });
  for (const expectedLength of [4, 6, 0]) {
    const options = { ...override, expectedLength };
    const upload = uploadFile(s.access, at("/a.txt"), bodyOf("hel", "lo"), options);
    await assertDeniedLater(upload, "invalid_body");
  }
  const missing = uploadFile(s.access, at("/b.txt"), null, { ...keep, expectedLength: 1 });
  await assertDeniedLater(missing, "invalid_body");
  assert.equal(s.text("a.txt"), "former");
  assert.deepEqual(s.all(), ["a.txt"]);
});

Deno.test("a cancelled upload leaves nothing", async () => {
  await using s = await setUp({ "a.txt": "former" });
  for (const path of ["/a.txt", "/x/new.txt"]) {
    const controller = new AbortController();
    const { body, reached, finish } = pausedBody("n", "ew");
    const options = { ...override, signal: controller.signal };
    const upload = uploadFile(s.access, at(path), body, options);
    await reached;
    controller.abort();
    finish();
    await assertDeniedLater(upload, "invalid_body");
  }
  assert.deepEqual([s.text("a.txt"), s.all()], ["former", ["a.txt"]]);
});

Deno.test("an upload that brings nothing for too long leaves nothing (slow body)", async () => {
  await using s = await setUp({ "a.txt": "former" });
  for (const expectedLength of [100, undefined]) {
    for (const path of ["/a.txt", "/new/a.txt"]) {
      const { body } = pausedBody("a few bytes", "the rest");
      const options = { ...override, expectedLength, stallMs: 40 };
      await assertDeniedLater(uploadFile(s.access, at(path), body, options), "invalid_body");
      assert.deepEqual(s.all(), ["a.txt"]);
    }
  }
  assert.equal(s.text("a.txt"), "former");
});

Deno.test("a client that stays on the line but sends nothing more is not waited for", async () => {
  await using s = await setUp();
  const options = { ...keep, expectedLength: 1_000_000, stallMs: 40 };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (req) => {
    const { signal } = req;
    const upload = uploadFile(s.access, at("/x/a.txt"), req.body, { ...options, signal });
    await assertDeniedLater(upload, "invalid_body");
    return new Response(null, { status: 400 });
  });
  const client = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
  const head = "POST / HTTP/1.1\r\nHost: cubby\r\nContent-Length: 1000000\r\n\r\n";
  await client.write(new TextEncoder().encode(head + "x".repeat(5000)));
  const answer = new Uint8Array(12);
  await client.read(answer);
  assert.equal(new TextDecoder().decode(answer), "HTTP/1.1 400");
  assert.deepEqual(s.all(), []);
  client.close();
  await server.shutdown();
});

Deno.test("a client that goes away in the middle of a request leaves nothing", async () => {
  await using s = await setUp({ "a.txt": "former" });
  const outcome = Promise.withResolvers<Promise<unknown>>();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (req) => {
    const options = { ...override, expectedLength: 1_000_000, signal: req.signal };
    const upload = uploadFile(s.access, at("/x/a.txt"), req.body, options);
    outcome.resolve(upload);
    await upload.catch(() => {});
    return new Response();
  });
  const client = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
  const head = "POST / HTTP/1.1\r\nHost: cubby\r\nContent-Length: 1000000\r\n\r\n";
  await client.write(new TextEncoder().encode(head + "x".repeat(5000)));
  const upload = outcome.promise;
  await Promise.race([upload, new Promise((resolve) => setTimeout(resolve, 30))]);
  client.close();
  await assertDeniedLater(upload, "invalid_body");
  await server.shutdown();
  assert.deepEqual([s.text("a.txt"), s.all()], ["former", ["a.txt"]]);
});
