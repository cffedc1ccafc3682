import assert from "node:assert/strict";
import { plantBytes, sha256 } from "../../support/disks/files.ts";
import { assertUntouched, describe, setUp } from "./transfers.ts";

Deno.test("copyEntry() copies links as links, also those that lead nowhere", async () => {
  await using s = await setUp({ a: { "x.txt": "x" }, b: {} });
  s.link("x.txt", "a/inner");
  s.link("../none", "a/broken");
  s.link(s.path("b"), "a/folder");
  await s.copy("/a", "/c");
  assert.deepEqual([...describe(s.path("c"))], [...describe(s.path("a"))]);
  await s.copy("/a/inner", "/a/again");
  assert.equal(Deno.readLinkSync(s.path("a/again")), "x.txt");
  await s.copy("/a/folder", "/b/to a folder");
  assert.deepEqual([...Deno.readDirSync(s.path("b"))].map(({ name }) => name), ["to a folder"]);
});

Deno.test("copyEntry() keeps content, permissions and times of all that is below", async () => {
  await using s = await setUp({
    a: { "x.txt": "x", empty: {}, deep: { "y.sh": "y" }, "ä ¥%.txt": "", group: "g" },
  });
  const modes = { "a/x.txt": 0o444, "a/deep/y.sh": 0o750, "a/group": 0o664, "a/deep": 0o555 };
  for (const [path, mode] of Object.entries(modes)) Deno.chmodSync(s.path(path), mode);
  for (const path of ["a/x.txt", "a/deep/y.sh", "a/deep", "a"]) {
    Deno.utimeSync(s.path(path), 1_000_000_000.25, 1_234_567_890.125);
  }
  assert.equal(await s.copy("/a", "/made/on the way/b"), "/made/on the way/b");
  const copy = s.path("made/on the way/b");
  assert.deepEqual([...describe(copy)], [...describe(s.path("a"))]);
  for (const path of ["", "deep"]) {
    assert.equal(Deno.statSync(`${copy}/${path}`).mtime?.getTime(), 1_234_567_890_125);
  }
  assert.notEqual(Deno.statSync(`${copy}/x.txt`).ino, Deno.statSync(s.path("a/x.txt")).ino);
});

Deno.test("copyEntry() drops set-uid and set-gid of files and keeps set-gid of folders", async () => {
  await using s = await setUp({ a: { "x.txt": "x" } });
  Deno.chmodSync(s.path("a/x.txt"), 0o6755);
  Deno.chmodSync(s.path("a"), 0o2775);
  await s.copy("/a", "/b");
  assert.equal((Deno.statSync(s.path("b/x.txt")).mode ?? 0) & 0o7777, 0o755);
  assert.equal((Deno.statSync(s.path("b")).mode ?? 0) & 0o7777, 0o2775);
});

Deno.test("copyEntry() copies large files whole, and holes as holes", async () => {
  await using s = await setUp();
  const sum = await plantBytes(s.path("large"), 5 * 1024 * 1024 + 17);
  {
    using file = Deno.openSync(s.path("sparse"), { write: true, create: true });
    file.truncateSync(64 * 1024 * 1024 + 3);
    for (const position of [0, 70_000, 9 * 1024 * 1024 - 1, 64 * 1024 * 1024]) {
      file.seekSync(position, Deno.SeekMode.Start);
      file.writeSync(new TextEncoder().encode("abc"));
    }
  }
  await s.copy("/large", "/large copy");
  await s.copy("/sparse", "/sparse copy");
  assert.equal(await sha256(s.path("large copy")), sum);
  assert.equal(await sha256(s.path("sparse copy")), await sha256(s.path("sparse")));
  const blocks = (path: string) => Deno.statSync(s.path(path)).blocks ?? 0;
  assert(blocks("sparse copy") < 2 * blocks("sparse") + 2_048, `${blocks("sparse copy")}`);
});

Deno.test("copyEntry() replaces a file in one step and leaves its readers what they read", async () => {
  await using s = await setUp({ "a.txt": "new", "b.txt": "former" });
  using reader = Deno.openSync(s.path("b.txt"));
  assert.equal(await s.copy("/a.txt", "/b.txt", { override: true }), "/b.txt");
  assert.equal(s.text("b.txt"), "new");
  const buffer = new Uint8Array(10);
  assert.equal(reader.readSync(buffer), 6);
});

Deno.test("copyEntry() merges a folder into another and touches nothing else there", async () => {
  await using s = await setUp({
    from: { "new.txt": "new", "both.txt": "from", sub: { deep: { n: "n" }, both: "from" }, e: {} },
    to: { "own.txt": "own", "both.txt": "to", sub: { both: "to", own: "own" }, only: { o: "o" } },
  });
  Deno.chmodSync(s.path("to/sub"), 0o700);
  Deno.chmodSync(s.path("from/sub/deep"), 0o750);
  await s.copy("/from", "/to", { override: true });
  assert.deepEqual([...describe(s.path("to"), false)], [
    "both.txt 644: from",
    "e/ 755",
    "new.txt 644: new",
    "only/ 755",
    "only/o 644: o",
    "own.txt 644: own",
    "sub/ 700",
    "sub/both 644: from",
    "sub/deep/ 750",
    "sub/deep/n 644: n",
    "sub/own 644: own",
  ]);
  assert.equal(s.text("from/both.txt"), "from");
});

Deno.test("copyEntry() picks the next free name when it is told to", async () => {
  await using s = await setUp({
    "a.tar.gz": "",
    ".bashrc": "",
    "d.v2": { x: "" },
    "a.txt": "1",
    "a(1).txt": "2",
  });
  s.link("none", "a(2).txt");
  const rename = true;
  for (const [from, to] of [["a.tar.gz", "a(1).tar.gz"], [".bashrc", ".bashrc(1)"]] as const) {
    assert.equal(await s.copy(`/${from}`, `/${from}`, { rename }), `/${to}`);
  }
  assert.equal(await s.copy("/d.v2", "/d.v2", { rename }), "/d.v2(1)");
  assert.equal(await s.copy("/a.txt", "/a.txt", { rename, override: true }), "/a(3).txt");
  assert.equal(await s.copy("/a.txt", "/free.txt", { rename }), "/free.txt");
  assert.equal(s.text("a(1).txt"), "2");
  assert.equal(s.text("d.v2(1)/x"), "");
});

Deno.test("copies that want the same name at once all get one of their own", async () => {
  await using s = await setUp({ "a.txt": "a", dir: { x: "x" }, empty: {} });
  for (const from of ["/a.txt", "/dir", "/empty"]) {
    const copies = Array.from({ length: 8 }, () => s.copy(from, "/copy", { rename: true }));
    const paths = await Promise.all(copies);
    assert.equal(new Set(paths).size, 8, paths.join());
    for (const path of paths) await Deno.remove(s.path(path), { recursive: true });
  }
  const plain = await Promise.allSettled([1, 2, 3, 4].map(() => s.copy("/empty", "/one")));
  assert.equal(plain.filter(({ status }) => status === "fulfilled").length, 1);
  assert(s.tree().every((entry) => !entry.includes(".cubby-upload-")), s.tree().join("\n"));
});

Deno.test("a copy whose client goes is taken back, and the next one works", async () => {
  await using s = await setUp({ a: {} });
  for (let folder = 0; folder < 30; folder++) {
    Deno.mkdirSync(s.path(`a/${folder}`));
    for (let file = 0; file < 50; file++) Deno.writeTextFileSync(s.path(`a/${folder}/${file}`), "");
  }
  {
    using file = Deno.openSync(s.path("a/large"), { write: true, create: true });
    for (let count = 0; count < 64; count++) file.writeSync(new Uint8Array(1 << 20).fill(1));
  }
  await assertUntouched(s, async () => {
    for (const ms of [0, 5, 20, 40]) {
      const copy = s.copy("/a", "/new/b", { signal: AbortSignal.timeout(ms) });
      const fault = await copy.then(() => null, (error) => error);
      // The later ones may come too late for a quick copy, which is whole then.
      if (ms === 0 || fault !== null) assert.equal(fault?.name, "TimeoutError", `${ms} ms`);
      else {
        assert.deepEqual([...describe(s.path("new/b"))], [...describe(s.path("a"))]);
        Deno.removeSync(s.path("new"), { recursive: true });
      }
    }
    await assert.rejects(s.copy("/a", "/b", { signal: AbortSignal.abort() }), {
      name: "AbortError",
    });
  });
  await s.copy("/a", "/b");
  assert.deepEqual([...describe(s.path("b"))], [...describe(s.path("a"))]);
});
