import assert from "node:assert/strict";
import { join } from "node:path";
import { isTemporaryName } from "../../../lib/server/core/access/names.ts";
import { saveFile, uploadFile } from "../../../lib/server/files/upload/upload.ts";
import { disk } from "../../../lib/server/core/disk/this_disk.ts";
import { plant, temporaryFolder } from "../../support/disks/files.ts";
import { assertDeniedLater, at } from "../core/access/visitors.ts";
import { bodyOf, brokenBody, bytesOf, pausedBody } from "./streams.ts";
import { keep, override, setUp } from "./uploading.ts";

Deno.test("without override, a name that is taken during the upload stays with its file", async () => {
  await using s = await setUp();
  const { body, reached, finish } = pausedBody("n", "ew");
  const upload = uploadFile(s.access, at("/a.txt"), body, keep);
  await reached;
  Deno.writeTextFileSync(join(s.root, "a.txt"), "theirs");
  finish();
  await assertDeniedLater(upload, "exists");
  assert.equal(s.text("a.txt"), "theirs");
  assert.deepEqual(s.all(), ["a.txt"]);
});

Deno.test("a small upload shows no name but its own, which it takes only as it may", async () => {
  await using s = await setUp({ "old.txt": "former" });
  Deno.chmodSync(join(s.root, "old.txt"), 0o640);
  const begin = async (path: string, options: { override: boolean }) => {
    const sent = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
    const reached = Promise.withResolvers<void>();
    const bytes = () => {
      reached.resolve();
      return sent.promise;
    };
    const body = { body: null, bytes };
    const done = uploadFile(s.access, at(path), body, { ...options, expectedLength: 3 });
    await reached.promise;
    return { done, finish: () => sent.resolve(new TextEncoder().encode("new")) };
  };
  const [kept, replaced, late] = [
    await begin("/taken.txt", keep),
    await begin("/old.txt", override),
    await begin("/late.txt", override),
  ];
  {
    using folder = disk.folder(s.root);
    using file = folder.unnamedFile();
    // Some disks know no such files.
    if (file) assert.deepEqual(s.all(), ["old.txt"]);
  }
  for (const name of ["taken.txt", "late.txt"]) {
    Deno.writeTextFileSync(join(s.root, name), "theirs");
  }
  for (const { finish } of [kept, replaced, late]) finish();
  await assertDeniedLater(kept.done, "exists");
  await Promise.all([replaced.done, late.done]);
  assert.deepEqual(s.all(), ["late.txt", "old.txt", "taken.txt"]);
  assert.deepEqual(["late.txt", "old.txt", "taken.txt"].map(s.text), ["new", "new", "theirs"]);
  assert.equal((Deno.statSync(join(s.root, "old.txt")).mode ?? 0) & 0o777, 0o640);
});

Deno.test("a folder that takes the name during the upload is untouched", async () => {
  await using s = await setUp({ "a.txt": "former" });
  const { body, reached, finish } = pausedBody("n", "ew");
  const upload = uploadFile(s.access, at("/a.txt"), body, override);
  await reached;
  Deno.removeSync(join(s.root, "a.txt"));
  Deno.mkdirSync(join(s.root, "a.txt"));
  finish();
  await assertDeniedLater(upload, "is_folder");
  assert.deepEqual(s.all(), ["a.txt"]);
});

Deno.test("a folder that vanishes during the upload takes the upload along", async () => {
  await using s = await setUp({ sub: {} });
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
  await using s = await setUp({ sub: {} });
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
  await using s = await setUp({ "a.txt": "former" });
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

Deno.test("a FIFO laid in place of the temporary file is not opened", async () => {
  await using s = await setUp();
  const bytes = new Uint8Array(300_000).fill("x".charCodeAt(0));
  let pipe: Deno.FsFile | undefined;
  const swapped = {
    get body() {
      const temporary = join(s.root, s.all().find(isTemporaryName) ?? assert.fail("no file"));
      Deno.renameSync(temporary, join(s.root, "kept"));
      new Deno.Command("mkfifo", { args: [temporary] }).outputSync();
      // With a reader, opening it does not block.
      pipe = Deno.openSync(temporary, { read: true, write: true });
      return bytesOf(bytes.length);
    },
    bytes: () => Promise.resolve(bytes),
  };
  const upload = uploadFile(s.access, at("/a.txt"), swapped, {
    ...keep,
    expectedLength: bytes.length,
  });
  await assertDeniedLater(upload, "forbidden");
  pipe?.close();
  assert.deepEqual(Deno.readFileSync(join(s.root, "kept")), bytes, "the file itself is written");
});

Deno.test("If-Match lets only the right version be replaced, before and during the upload", async () => {
  await using s = await setUp();
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

Deno.test("readers see the former file or the new one, never a part", async () => {
  await using s = await setUp({ "a.txt": "x".repeat(100_000) });
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
  await using s = await setUp();
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
  await using s = await setUp();
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
  await using s = await setUp();
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
