import assert from "node:assert/strict";
import { join } from "node:path";
import { saveFile, uploadFile } from "../../../lib/server/files/upload/upload.ts";
import { assertDeniedLater, at, enter } from "../core/access/visitors.ts";
import { bodyOf, bytesOf, pausedBody } from "./streams.ts";
import { keep, override, setUp } from "./uploading.ts";

Deno.test("an upload to a taken name is refused and the former file untouched", async () => {
  await using s = await setUp({ "a.txt": "former" });
  await assertDeniedLater(uploadFile(s.access, at("/a.txt"), bodyOf("new"), keep), "exists");
  assert.equal(s.text("a.txt"), "former");
  assert.deepEqual(s.all(), ["a.txt"]);
});

Deno.test("an upload onto a folder is refused and the folder untouched", async () => {
  await using s = await setUp({ sub: { "a.txt": "a" } });
  for (const options of [keep, override]) {
    await assertDeniedLater(uploadFile(s.access, at("/sub"), bodyOf("x"), options), "is_folder");
    await assertDeniedLater(uploadFile(s.access, at("/"), bodyOf("x"), options), "is_folder");
  }
  await assertDeniedLater(saveFile(s.access, at("/sub"), bodyOf("x"), {}), "is_folder");
  assert.deepEqual(s.all(), ["sub", "sub/a.txt"]);
});

Deno.test("an upload below a file is refused", async () => {
  await using s = await setUp({ "a.txt": "a" });
  const upload = uploadFile(s.access, at("/a.txt/b/c"), bodyOf("x"), override);
  await assertDeniedLater(upload, "exists");
  assert.deepEqual(s.all(), ["a.txt"]);
});

Deno.test("replacing needs the permission to modify, whenever the name was taken", async () => {
  await using s = await setUp({ "a.txt": "former" });
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

Deno.test("saving what is missing is not found, also through a link that leads nowhere", async () => {
  await using s = await setUp();
  Deno.symlinkSync("none", join(s.root, "link"));
  for (const path of ["/none", "/link", "/x/none"]) {
    await assertDeniedLater(saveFile(s.access, at(path), bodyOf("x"), {}), "not_found");
  }
  assert.deepEqual(s.all(), ["link"]);
});

Deno.test("a link that leads nowhere keeps its name unless it may be replaced", async () => {
  await using s = await setUp();
  Deno.symlinkSync("none", join(s.root, "link"));
  await assertDeniedLater(uploadFile(s.access, at("/link"), bodyOf("x"), keep), "exists");
  const { created } = await uploadFile(s.access, at("/link"), bodyOf("file"), override);
  assert.equal(created, false);
  assert(Deno.lstatSync(join(s.root, "link")).isFile);
});

Deno.test("an upload makes the file and its parents and tells its tag", async () => {
  await using s = await setUp();
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
  await using s = await setUp();
  await uploadFile(s.access, at("/empty"), null, { ...keep, expectedLength: 0 });
  assert.equal(s.text("empty"), "");
});

Deno.test("every byte of a large body arrives", async () => {
  await using s = await setUp();
  const size = 5 * 1024 * 1024 + 17;
  await uploadFile(s.access, at("/big"), bytesOf(size), { ...keep, expectedLength: size });
  const bytes = Deno.readFileSync(join(s.root, "big"));
  assert.equal(bytes.length, size);
  assert(bytes.every((byte) => byte === 120));
});

Deno.test("a replaced file passes on its mode", async () => {
  await using s = await setUp({ "run.sh": "old" });
  for (const mode of [0o755, 0o600, 0o666]) {
    Deno.chmodSync(join(s.root, "run.sh"), mode);
    await saveFile(s.access, at("/run.sh"), bodyOf("new"), {});
    assert.equal((Deno.lstatSync(join(s.root, "run.sh")).mode ?? 0) & 0o777, mode);
  }
});
