import assert from "node:assert/strict";
import { isSameEntry } from "../../../lib/server/core/disk/facts.ts";
import { Gate } from "../../../lib/server/core/access/gate.ts";
import { EntryObservers } from "../../../lib/server/files/entry_observers.ts";
import { openStore } from "../../../lib/server/core/kv/store.ts";
import { removeEntry } from "../../../lib/server/files/remove.ts";
import { openListingWorker } from "../../../lib/server/files/workers/workers.ts";
import { deny } from "../../support/data/rules.ts";
import { assertDeniedLater, at, enter } from "../core/access/visitors.ts";
import { assertUntouched, describe, setUp } from "./transfers.ts";

Deno.test("moveEntry() needs rename, modify to replace, and create to make folders", async () => {
  await using s = await setUp({ "a.txt": "a", "b.txt": "b" });
  const without = (permission: string) => ({ perm: { [permission]: false } });
  await assertUntouched(s, async () => {
    for (const from of ["/a.txt", "/none"]) {
      await assertDeniedLater(s.move(from, "/c", { as: without("rename") }), "forbidden");
    }
    const as = without("modify");
    await assertDeniedLater(s.move("/a.txt", "/b.txt", { as, override: true }), "forbidden");
    await assertDeniedLater(s.move("/a.txt", "/x/y", { as: without("create") }), "forbidden");
  });
  await s.move("/a.txt", "/c.txt", { as: without("create") });
  await s.move("/c.txt", "/x/y", { as: without("modify") });
  assert.equal(s.text("x/y"), "a");
});

Deno.test("moveEntry() refuses the root of the scope, at either end", async () => {
  await using s = await setUp({ home: { a: { x: "x" } } });
  const as = { scope: "/home" };
  await assertUntouched(s, async () => {
    await assertDeniedLater(s.move("/", "/b", { as }), "forbidden");
    await assertDeniedLater(s.move("/a", "/", { as }), "forbidden");
    await assertDeniedLater(s.move("/a", "/", { as, override: true, rename: true }), "forbidden");
  });
});

Deno.test("moveEntry() refuses a destination that is the entry or lies in it, by any way", async () => {
  await using s = await setUp({ a: { sub: { "x.txt": "x" } }, "f.txt": "f" });
  s.link("a/sub", "into");
  await assertUntouched(s, async () => {
    for (const rename of [false, true]) {
      for (const to of ["/a", "/a/b", "/a/sub", "/a/sub/b/c", "/into/b"]) {
        await assertDeniedLater(s.move("/a", to, { rename }), "invalid_path", to);
      }
      await assertDeniedLater(s.move("/f.txt", "/f.txt", { rename }), "invalid_path");
      await assertDeniedLater(s.move("/into/x.txt", "/a/sub/x.txt", { rename }), "invalid_path");
    }
    await assertDeniedLater(s.move("/a/sub", "/a", { override: true }), "invalid_path");
  });
});

Deno.test("moveEntry() replaces nothing unless it is told to, and no kind by another", async () => {
  await using s = await setUp({ "a.txt": "a", "b.txt": "b", dir: { x: "x" }, empty: {} });
  s.link("b.txt", "link.txt");
  await assertUntouched(s, async () => {
    for (const to of ["/b.txt", "/dir", "/empty", "/link.txt"]) {
      await assertDeniedLater(s.move("/a.txt", to), "exists", to);
    }
    for (const to of ["/b.txt", "/empty", "/link.txt"]) {
      await assertDeniedLater(s.move("/dir", to), "exists", to);
    }
    const override = true;
    await assertDeniedLater(s.move("/a.txt", "/empty", { override }), "exists");
    await assertDeniedLater(s.move("/empty", "/a.txt", { override }), "exists");
    await assertDeniedLater(s.move("/a.txt", "/link.txt", { override }), "exists");
  });
});

Deno.test("moveEntry() does nothing when something below is out of reach, here or there", async () => {
  await using s = await setUp({ a: { "x.txt": "x", secret: { "y.txt": "y" } }, b: {} });
  await assertUntouched(s, async () => {
    for (const path of ["/a/secret/y.txt", "/c/secret", "/c"]) {
      const as = { rules: [deny(path)] };
      await assertDeniedLater(s.move("/a", "/c", { as }), "forbidden", path);
    }
    const as = { rules: [deny("/b/secret")] };
    await assertDeniedLater(s.move("/a", "/b", { as, override: true }), "forbidden");
    await assertDeniedLater(s.move("/a/secret", "/b/secret", { as }), "forbidden");
  });
});

Deno.test("moveEntry() moves files, links and folders in one step: they stay the same", async () => {
  await using s = await setUp({ "a.txt": "a", dir: { x: "x", deep: { y: "y" } } });
  s.link("dir/x", "link");
  s.link("x", "dir/inner");
  await new Deno.Command("mkfifo", { args: [s.path("dir/pipe")] }).output();
  const moves = { "a.txt": "dir/b.txt", link: "link 2", "dir/deep": "made/on/the/way", dir: "Dir" };
  for (const [from, to] of Object.entries(moves)) {
    const before = Deno.lstatSync(s.path(from));
    assert.equal(await s.move(`/${from}`, `/${to}`), `/${to}`);
    assert(isSameEntry(Deno.lstatSync(s.path(to)), before), from);
    assert.throws(() => Deno.lstatSync(s.path(from)), Deno.errors.NotFound);
  }
  assert.deepEqual([...describe(s.root, false)], [
    "Dir/ 755",
    "Dir/b.txt 644: a",
    "Dir/inner -> x",
    "Dir/pipe special",
    "Dir/x 644: x",
    "link 2 -> dir/x",
    "made/ 755",
    "made/on/ 755",
    "made/on/the/ 755",
    "made/on/the/way/ 755",
    "made/on/the/way/y 644: y",
  ]);
});

Deno.test("moveEntry() replaces a file in one step, also one that is the same under two names", async () => {
  await using s = await setUp({ "a.txt": "new", "b.txt": "former", "c.txt": "twin" });
  await s.move("/a.txt", "/b.txt", { override: true });
  Deno.linkSync(s.path("c.txt"), s.path("d.txt"));
  await s.move("/c.txt", "/d.txt", { override: true });
  assert.deepEqual([...describe(s.root, false)], ["b.txt 644: new", "d.txt 644: twin"]);
});

Deno.test("moveEntry() changes the letters of a name, whether or not the disk tells them apart", async () => {
  await using s = await setUp({ "a.txt": "a", dir: { x: "x" } });
  await s.move("/a.txt", "/A.txt");
  await s.move("/dir", "/DIR");
  assert.deepEqual([...describe(s.root, false)], ["A.txt 644: a", "DIR/ 755", "DIR/x 644: x"]);
});

Deno.test("moveEntry() merges a folder into another, and what was there stays", async () => {
  await using s = await setUp({
    from: { "new.txt": "new", both: "from", sub: { deep: { n: "n" }, both: "from" }, empty: {} },
    to: { own: "own", both: "to", sub: { both: "to", own: "own" } },
  });
  s.link("new.txt", "from/link");
  s.link("none", "from/both ways");
  s.link("none", "to/both ways");
  const { ino } = Deno.lstatSync(s.path("from/new.txt"));
  assert.equal(await s.move("/from", "/to", { override: true }), "/to");
  assert.deepEqual([...describe(s.root, false)], [
    "to/ 755",
    "to/both 644: from",
    "to/both ways -> none",
    "to/empty/ 755",
    "to/link -> new.txt",
    "to/new.txt 644: new",
    "to/own 644: own",
    "to/sub/ 755",
    "to/sub/both 644: from",
    "to/sub/deep/ 755",
    "to/sub/deep/n 644: n",
    "to/sub/own 644: own",
  ]);
  assert.equal(Deno.lstatSync(s.path("to/new.txt")).ino, ino, "nothing was copied");
});

Deno.test("moveEntry() leaves both folders as they are when they can't be merged", async () => {
  await using s = await setUp({
    from: { a: "a", z: { meets: "a file" } },
    to: { a: "former", z: { meets: {} } },
  });
  await assertUntouched(s, async () => {
    await assertDeniedLater(s.move("/from", "/to", { override: true }), "exists");
  });
});

Deno.test("moveEntry() picks the next free name when it is told to", async () => {
  await using s = await setUp({ "a.txt": "1", "b.txt": "2", "b(1).txt": "3", d: { x: "" }, e: {} });
  const rename = true;
  assert.equal(await s.move("/a.txt", "/b.txt", { rename, override: true }), "/b(2).txt");
  assert.equal(await s.move("/d", "/e", { rename }), "/e(1)");
  assert.equal(s.text("b.txt") + s.text("b(1).txt") + s.text("b(2).txt"), "231");
  assert.equal(s.text("e(1)/x"), "");
});

Deno.test("moves to one name at once: one has it, the others stay where they were", async () => {
  const files = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`f${index}`, "f"]));
  await using s = await setUp({ ...files, d0: {}, d1: {}, d2: {}, d3: {} });
  for (const [count, start] of [[8, "f"], [4, "d"]] as const) {
    const names = Array.from({ length: count }, (_, index) => `${start}${index}`);
    const moves = await Promise.allSettled(names.map((name) => s.move(`/${name}`, `/to ${start}`)));
    assert.equal(moves.filter(({ status }) => status === "fulfilled").length, 1);
    assert.equal(
      [...Deno.readDirSync(s.root)].filter(({ name }) => name.startsWith(start)).length,
      count - 1,
    );
  }
});

Deno.test("what is kept by path is told of moves and removals, by paths below the server's root", async () => {
  await using s = await setUp({ home: { a: { x: "x" }, "b.txt": "b", "c.txt": "c" } });
  const told: string[] = [];
  const store = await openStore(":memory:");
  const observers = new EntryObservers(store, new Gate({ root: s.root, reserved: [] }));
  observers.add({
    hasBelow: () => Promise.resolve(true),
    follow(_store, from, to) {
      told.push(to === null ? from : `${from} -> ${to}`);
      return Promise.resolve([]);
    },
  });
  const as = { scope: "/home" };
  s.link("a", "home/link");
  await s.move("/a", "/sub/a", { as, observers });
  await s.move("/b.txt", "/c.txt", { as, observers, rename: true });
  await assertDeniedLater(s.move("/c.txt", "/c(1).txt", { as, observers }), "exists");
  const listingWorker = openListingWorker();
  for (const path of ["/sub/a", "/c.txt", "/link"]) {
    await removeEntry(enter(s.root, as), listingWorker, at(path), undefined, observers);
  }
  await assertDeniedLater(
    removeEntry(enter(s.root, as), listingWorker, at("/none"), undefined, observers),
    "not_found",
  );
  listingWorker.close();
  store.close();
  assert.deepEqual(told, [
    "/home/a -> /home/sub/a",
    "/home/b.txt -> /home/c(1).txt",
    "/home/sub/a",
    "/home/c.txt",
    "/home/link",
  ]);
});
