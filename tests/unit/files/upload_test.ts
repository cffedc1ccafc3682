import assert from "node:assert/strict";
import { join } from "node:path";
import { isTemporaryName } from "../../../lib/server/access/names.ts";
import { saveFile, uploadFile } from "../../../lib/server/files/upload/upload.ts";
import { disk } from "../../../lib/server/disk/this_disk.ts";
import { plant, temporaryFolder, type Tree } from "../../support/files.ts";
import { assertDeniedLater, at, enter } from "../access/visitors.ts";
import { bodyOf, brokenBody, bytesOf, pausedBody } from "./streams.ts";

async function stage(tree: Tree = {}) {
  const folder = await temporaryFolder();
  await plant(folder.path, tree);
  return {
    root: folder.path,
    access: enter(folder.path),
    text: (name: string) => Deno.readTextFileSync(join(folder.path, name)),
    /** Everything below, our own temporary files too. */
    all: () => [...listAll(folder.path)].sort(),
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

function* listAll(folder: string, prefix = ""): Iterable<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    yield prefix + name;
    if (isDirectory) yield* listAll(join(folder, name), `${prefix}${name}/`);
  }
}

const keep = { override: false };
const override = { override: true };

Deno.test("an upload to a taken name is refused and the former file untouched", async () => {
  await using s = await stage({ "a.txt": "former" });
  await assertDeniedLater(uploadFile(s.access, at("/a.txt"), bodyOf("new"), keep), "exists");
  assert.equal(s.text("a.txt"), "former");
  assert.deepEqual(s.all(), ["a.txt"]);
});

Deno.test("an upload onto a folder is refused and the folder untouched", async () => {
  await using s = await stage({ sub: { "a.txt": "a" } });
  for (const options of [keep, override]) {
    await assertDeniedLater(uploadFile(s.access, at("/sub"), bodyOf("x"), options), "is_folder");
    await assertDeniedLater(uploadFile(s.access, at("/"), bodyOf("x"), options), "is_folder");
  }
  await assertDeniedLater(saveFile(s.access, at("/sub"), bodyOf("x"), {}), "is_folder");
  assert.deepEqual(s.all(), ["sub", "sub/a.txt"]);
});

Deno.test("an upload below a file is refused", async () => {
  await using s = await stage({ "a.txt": "a" });
  const upload = uploadFile(s.access, at("/a.txt/b/c"), bodyOf("x"), override);
  await assertDeniedLater(upload, "exists");
  assert.deepEqual(s.all(), ["a.txt"]);
});

Deno.test("replacing needs the permission to modify, whenever the name was taken", async () => {
  await using s = await stage({ "a.txt": "former" });
  const access = enter(s.root, { perm: { modify: false } });
  await assertDeniedLater(uploadFile(access, at("/a.txt"), bodyOf("x"), override), "forbidden");
  const { body, reached, finish } = pausedBody("n", "ew");
  const late = uploadFile(access, at("/late.txt"), body, override);
  await reached;
  Deno.writeTextFileSync(join(s.root, "late.txt"), "theirs");
  finish();
  await assertDeniedLater(late, "exists");
  assert.deepEqual([s.text("a.txt"), s.text("late.txt")], ["former", "theirs"]);
  assert.deepEqual(s.all(), ["a.txt", "late.txt"]);
});

Deno.test("without override, a name that is taken during the upload stays with its file", async () => {
  await using s = await stage();
  const { body, reached, finish } = pausedBody("n", "ew");
  const upload = uploadFile(s.access, at("/a.txt"), body, keep);
  await reached;
  Deno.writeTextFileSync(join(s.root, "a.txt"), "theirs");
  finish();
  await assertDeniedLater(upload, "exists");
  assert.equal(s.text("a.txt"), "theirs");
  assert.deepEqual(s.all(), ["a.txt"]);
});

Deno.test("a folder that takes the name during the upload is untouched", async () => {
  await using s = await stage({ "a.txt": "former" });
  const { body, reached, finish } = pausedBody("n", "ew");
  const upload = uploadFile(s.access, at("/a.txt"), body, override);
  await reached;
  Deno.removeSync(join(s.root, "a.txt"));
  Deno.mkdirSync(join(s.root, "a.txt"));
  finish();
  await assertDeniedLater(upload, "is_folder");
  assert.deepEqual(s.all(), ["a.txt"]);
});

Deno.test("a body that breaks off leaves nothing, not even the folders it was to go to", async () => {
  await using s = await stage({ "a.txt": "former", there: {} });
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
  await using s = await stage({ "a.txt": "former" });
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
  await using s = await stage({ "a.txt": "former" });
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
  await using s = await stage({ "a.txt": "former" });
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
  await using s = await stage();
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
  await using s = await stage({ "a.txt": "former" });
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

Deno.test("a folder that vanishes during the upload takes the upload along", async () => {
  await using s = await stage({ sub: {} });
  const { body, reached, finish } = pausedBody("n", "ew");
  const upload = uploadFile(s.access, at("/sub/a.txt"), body, keep);
  await reached;
  Deno.removeSync(join(s.root, "sub"), { recursive: true });
  finish();
  await assertDeniedLater(upload, "not_found");
  assert.deepEqual(s.all(), []);
});

Deno.test("a folder that becomes a link out during the upload gets nothing", async () => {
  await using outside = await temporaryFolder();
  await plant(outside.path, { "a.txt": "outside" });
  await using s = await stage({ sub: {} });
  const { body, reached, finish } = pausedBody("n", "ew");
  const upload = uploadFile(s.access, at("/sub/a.txt"), body, override);
  await reached;
  Deno.renameSync(join(s.root, "sub"), join(s.root, "away"));
  Deno.symlinkSync(outside.path, join(s.root, "sub"));
  finish();
  await assertDeniedLater(upload, "forbidden");
  assert.equal(Deno.readTextFileSync(join(outside.path, "a.txt")), "outside");
  assert.deepEqual([...Deno.readDirSync(outside.path)].map(({ name }) => name), ["a.txt"]);
});

Deno.test("a link laid in place of the temporary file is not written through", async () => {
  await using outside = await temporaryFolder();
  await plant(outside.path, { victim: "victim" });
  await using s = await stage({ "a.txt": "former" });
  const { body, reached, finish } = pausedBody("n", "ew");
  const upload = uploadFile(s.access, at("/a.txt"), body, override);
  await reached;
  const temporary = s.all().find(isTemporaryName) ?? assert.fail("no temporary file");
  Deno.removeSync(join(s.root, temporary));
  Deno.symlinkSync(join(outside.path, "victim"), join(s.root, temporary));
  finish();
  await assertDeniedLater(upload, "forbidden");
  assert.equal(Deno.readTextFileSync(join(outside.path, "victim")), "victim");
  assert.equal(s.text("a.txt"), "former");
});

Deno.test("If-Match lets only the right version be replaced, before and during the upload", async () => {
  await using s = await stage();
  const { etag } = await uploadFile(s.access, at("/a.txt"), bodyOf("first"), keep);
  const save = (ifMatch: string, body = bodyOf("second")) =>
    saveFile(s.access, at("/a.txt"), body, { ifMatch });
  for (const wrong of ['"other"', `W/${etag}`, "", '"a", "b"', etag.slice(1, -1)]) {
    await assertDeniedLater(save(wrong), "precondition_failed", wrong);
  }
  const paused = pausedBody("n", "ew");
  const late = save(etag, paused.body);
  await paused.reached;
  Deno.writeTextFileSync(join(s.root, "a.txt"), "somebody was faster");
  paused.finish();
  await assertDeniedLater(late, "precondition_failed");
  assert.equal(s.text("a.txt"), "somebody was faster");
  const absent = uploadFile(s.access, at("/b.txt"), null, { ...override, ifMatch: "*" });
  await assertDeniedLater(absent, "precondition_failed");
  await save("*", bodyOf("third"));
  const { etag: now } = await save("*", bodyOf("fourth"));
  await save(`"x", ${now}`, bodyOf("fifth"));
  assert.equal(s.text("a.txt"), "fifth");
  assert.deepEqual(s.all(), ["a.txt"]);
});

Deno.test("saving what is missing is not found, also through a link that leads nowhere", async () => {
  await using s = await stage();
  Deno.symlinkSync("none", join(s.root, "link"));
  for (const path of ["/none", "/link", "/x/none"]) {
    await assertDeniedLater(saveFile(s.access, at(path), bodyOf("x"), {}), "not_found");
  }
  assert.deepEqual(s.all(), ["link"]);
});

Deno.test("a link that leads nowhere keeps its name unless it may be replaced", async () => {
  await using s = await stage();
  Deno.symlinkSync("none", join(s.root, "link"));
  await assertDeniedLater(uploadFile(s.access, at("/link"), bodyOf("x"), keep), "exists");
  const { created } = await uploadFile(s.access, at("/link"), bodyOf("file"), override);
  assert.equal(created, false);
  assert(Deno.lstatSync(join(s.root, "link")).isFile);
});

Deno.test("an upload makes the file and its parents and tells its tag", async () => {
  await using s = await stage();
  const first = await uploadFile(s.access, at("/x/y/a.txt"), bodyOf("hel", "lo"), {
    ...keep,
    expectedLength: 5,
  });
  assert.deepEqual([first.created, s.text("x/y/a.txt")], [true, "hello"]);
  assert.match(first.etag, /^"[^"]+"$/);
  const second = await uploadFile(s.access, at("/x/y/a.txt"), bodyOf("hello"), override);
  assert.equal(second.created, false);
  assert.notEqual(second.etag, first.etag);
  assert.deepEqual(s.all(), ["x", "x/y", "x/y/a.txt"]);
});

Deno.test("an upload without a body makes an empty file", async () => {
  await using s = await stage();
  await uploadFile(s.access, at("/empty"), null, { ...keep, expectedLength: 0 });
  assert.equal(s.text("empty"), "");
});

Deno.test("every byte of a large body arrives", async () => {
  await using s = await stage();
  const size = 5 * 1024 * 1024 + 17;
  await uploadFile(s.access, at("/big"), bytesOf(size), { ...keep, expectedLength: size });
  const bytes = Deno.readFileSync(join(s.root, "big"));
  assert.equal(bytes.length, size);
  assert(bytes.every((byte) => byte === 120));
});

Deno.test("a replaced file passes on its mode", async () => {
  await using s = await stage({ "run.sh": "old" });
  for (const mode of [0o755, 0o600, 0o666]) {
    Deno.chmodSync(join(s.root, "run.sh"), mode);
    await saveFile(s.access, at("/run.sh"), bodyOf("new"), {});
    assert.equal((Deno.lstatSync(join(s.root, "run.sh")).mode ?? 0) & 0o777, mode);
  }
});

Deno.test("readers see the former file or the new one, never a part", async () => {
  await using s = await stage({ "a.txt": "x".repeat(100_000) });
  const seen = new Set<number>();
  let done = false;
  const reading = (async () => {
    while (!done) seen.add((await Deno.readFile(join(s.root, "a.txt"))).length);
  })();
  for (let round = 0; round < 20; round++) {
    const size = round % 2 === 0 ? 200_000 : 100_000;
    await uploadFile(s.access, at("/a.txt"), bytesOf(size), override);
  }
  done = true;
  await reading;
  assert([...seen].every((size) => size === 100_000 || size === 200_000), `${[...seen]}`);
});

Deno.test("of many uploads to one free name exactly one wins", async () => {
  await using s = await stage();
  const uploads = Array.from(
    { length: 20 },
    (_, index) => uploadFile(s.access, at("/x/a.txt"), bodyOf(`writer ${index}`), keep),
  );
  const outcomes = await Promise.allSettled(uploads);
  const winners = outcomes.flatMap(({ status }, index) => status === "fulfilled" ? [index] : []);
  assert.equal(winners.length, 1);
  assert.equal(s.text("x/a.txt"), `writer ${winners[0]}`);
  assert.deepEqual(s.all(), ["x", "x/a.txt"]);
});

Deno.test("uploads to one new folder do not disturb each other, even when some fail", async () => {
  await using s = await stage();
  const uploads = Array.from({ length: 30 }, (_, index) => {
    const body = index % 3 === 0 ? brokenBody("x") : bodyOf("x");
    return uploadFile(s.access, at(`/new/folder/${index}`), body, keep);
  });
  const outcomes = await Promise.allSettled(uploads);
  const failed = outcomes.filter(({ status }) => status === "rejected").length;
  assert.equal(failed, 10);
  assert.equal(s.all().length, 22);
});

Deno.test("an upload does not wait for a program that holds a lock on the folder", async () => {
  await using s = await stage();
  const holder = new Deno.Command("flock", {
    args: ["--exclusive", "--no-fork", s.root, "sh", "-c", "echo locked; exec sleep 60"],
    stdout: "piped",
  }).spawn();
  const reader = holder.stdout.getReader();
  try {
    await reader.read();
    using folder = disk.folder(s.root);
    assert(!folder.lock("shared"), "the lock is held");
    const begin = performance.now();
    await uploadFile(s.access, at("/a.txt"), new Blob(["text"]).stream(), keep);
    assert(performance.now() - begin < 30_000);
    assert.deepEqual([s.text("a.txt"), s.all()], ["text", ["a.txt"]]);
  } finally {
    holder.kill("SIGKILL");
    await reader.cancel();
    await holder.status;
  }
});
