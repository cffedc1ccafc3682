import assert from "node:assert/strict";
import { join } from "node:path";
import { removeEntry } from "../../../../lib/server/files/remove.ts";
import { plant, plantMany, temporaryFolder } from "../../../support/disks/files.ts";
import { deny } from "../../../support/data/rules.ts";
import { assertDeniedLater, at, enter } from "../../core/access/visitors.ts";
import { setUp } from "./set_up.ts";

Deno.test("the listing worker refuses as the gate does", async () => {
  await using s = await setUp({ secret: { a: "" }, file: "" });
  Deno.symlinkSync("/etc", join(s.root, "out"));
  await assertDeniedLater(s.list("/out"), "forbidden");
  await assertDeniedLater(s.list("/secret", {}, { rules: [deny("/secret")] }), "forbidden");
  await assertDeniedLater(s.list("/none"), "not_found");
  await assertDeniedLater(s.list("/file"), "not_found");
  await assertDeniedLater(s.list("/", {}, { scope: "/gone" }), "not_found");
  await assertDeniedLater(s.remove("/secret", { perm: { delete: false } }), "forbidden");
});

Deno.test("several calls run at once and each gets its own answer", async () => {
  await using s = await setUp({ a: { x: "" }, b: { y: "", z: "" } });
  const answers = await Promise.all([s.list("/a"), s.list("/b"), s.list("/"), s.list("/a")]);
  assert.deepEqual(answers.map(({ numFiles, numDirs }) => [numFiles, numDirs]), [
    [1, 0],
    [2, 0],
    [0, 2],
    [1, 0],
  ]);
});

Deno.test("a listing whose client goes is dropped, and the others go on", async () => {
  await using s = await setUp();
  plantMany(s.root, 3_000);
  const controller = new AbortController();
  const dropped = s.list("/", {}, {}, controller.signal);
  const kept = s.list("/");
  controller.abort();
  await assert.rejects(dropped, { name: "AbortError" });
  assert.equal((await kept).numFiles, 3_000);
  await assert.rejects(s.list("/", {}, {}, AbortSignal.abort()), { name: "AbortError" });
});

Deno.test("closing the listing worker ends the calls under way", async () => {
  await using s = await setUp({ a: "" });
  const call = s.list("/");
  s.listingWorker.close();
  await assertDeniedLater(call, "internal");
});

Deno.test("a Worker that dies rejects its calls, and the next call gets another", async () => {
  await using s = await setUp({ a: "" }, { script: new URL("./dying_worker.ts", import.meta.url) });
  const calls = [s.list("/none"), s.list("/")];
  for (const call of calls) await assertDeniedLater(call, "internal");
  const answer = await s.list("/");
  assert.equal(answer.numFiles, 1);
});

Deno.test("removing a folder takes all below it and follows no link", async () => {
  await using s = await setUp({
    kept: { "a.txt": "kept" },
    gone: { deep: { deeper: { "a.txt": "" } }, "b.txt": "" },
  });
  for (const [index, place] of ["gone", "gone/deep", "gone/deep/deeper"].entries()) {
    Deno.symlinkSync(`${"../".repeat(index + 1)}kept`, join(s.root, place, "link"));
  }
  await s.remove("/gone");
  assert.deepEqual([...Deno.readDirSync(s.root)].map(({ name }) => name), ["kept"]);
  assert.equal(Deno.readTextFileSync(join(s.root, "kept/a.txt")), "kept");
});

Deno.test("something denied, however deep, keeps the whole folder; a link that leads out does not", async () => {
  await using s = await setUp({ gone: { a: { b: { c: { "secret.txt": "", "x.txt": "" } } } } });
  const secret = { rules: [deny("/gone/a/b/c/secret.txt")] };
  await assertDeniedLater(s.remove("/gone", secret), "forbidden");
  assert(Deno.lstatSync(join(s.root, "gone/a/b/c/x.txt")).isFile);
  await using outside = await temporaryFolder();
  await plant(outside.path, { "a.txt": "outside" });
  Deno.symlinkSync(outside.path, join(s.root, "gone/a/b/out"));
  await s.remove("/gone");
  assert.deepEqual([...Deno.readDirSync(s.root)], []);
  assert.equal(Deno.readTextFileSync(join(outside.path, "a.txt")), "outside");
});

Deno.test("removing many files holds neither the loop nor other listings, and can be stopped", async () => {
  await using s = await setUp({ file: "", many: {} }, { onDisk: true });
  // Links: of files, a disk makes far fewer in the same time.
  for (let part = 0; part < 40; part++) {
    Deno.mkdirSync(join(s.root, `many/${part}`));
    for (let index = 0; index < 1_500; index++) {
      Deno.linkSync(join(s.root, "file"), join(s.root, `many/${part}/${index}.txt`));
    }
  }
  const controller = new AbortController();
  let longest = 0;
  let last = performance.now();
  const beat = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    if ([...Deno.readDirSync(join(s.root, "many"))].length < 40) controller.abort();
    // The time of the look is not counted: a busy disk lets readers wait.
    last = performance.now();
  }, 1);
  try {
    await assert.rejects(s.remove("/many", {}, controller.signal), { name: "AbortError" });
  } finally {
    clearInterval(beat);
  }
  const { numDirs } = await s.list("/many");
  assert(numDirs !== undefined && numDirs > 0 && numDirs < 40, `${numDirs} folders are left`);
  assert(longest < 2_000, `the loop was held for ${longest} ms`);
  await removeEntry(enter(s.root), s.listingWorker, at("/many"));
  assert.deepEqual([...Deno.readDirSync(s.root)].map(({ name }) => name), ["file"]);
});
