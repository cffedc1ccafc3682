import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { FolderStates } from "../../../../lib/server/features/dav/folder_states/folder_states.ts";
import { delay } from "../../../../lib/shared/delay.ts";
import { plant, plantMany, temporaryFolder, type Tree } from "../../../support/disks/files.ts";
import { assertDeniedLater, at, enter } from "../../core/access/visitors.ts";

type Rights = Parameters<typeof enter>[1];

const tree: Tree = {
  "top.txt": "1",
  a: { b: { c: { "deep.txt": "12345" } }, "side.txt": "123" },
  other: { "calm.txt": "12" },
  secret: { "s.txt": "1234" },
};

/** A folder, and the states of the folders in it. */
async function setUp(content: Tree = tree) {
  const root = await temporaryFolder();
  await plant(root.path, content);
  const notes: string[] = [];
  const open = () => new FolderStates({ root: root.path, note: (line) => void notes.push(line) });
  const states = open();
  const path = (name: string) => join(root.path, name);
  const etag = async (of = "/", rights: Rights = {}, by = states) =>
    (await by.of(enter(root.path, rights), at(of))).etag;
  return {
    ...{ root: root.path, notes, open, states, path, etag },
    /** Changes something, and waits until the states of some folders, and no others, have changed. */
    async changes(change: () => unknown, changed: string[], same: string[], rights: Rights = {}) {
      const all = [...changed, ...same];
      const before = new Map<string, string>();
      for (const of of all) before.set(of, await etag(of, rights));
      await change();
      for (let tries = 0; tries < 200; tries++) {
        const now = await Promise.all(changed.map((of) => etag(of, rights)));
        if (now.every((tag, index) => tag !== before.get(changed[index] ?? ""))) break;
        await delay(25);
      }
      const differing: string[] = [];
      for (const of of all) if (await etag(of, rights) !== before.get(of)) differing.push(of);
      assert.deepEqual(differing, changed);
    },
    async [Symbol.asyncDispose]() {
      states.close();
      await root[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a folder's state is refused as the folder is", async () => {
  await using s = await setUp();
  await assertDeniedLater(s.states.of(enter(s.root), at("/nowhere")), "not_found");
  await assertDeniedLater(s.states.of(enter(s.root), at("/top.txt")), "not_found");
  const rules = [{ allow: false, regex: false, path: "/secret" }] as never;
  await assertDeniedLater(s.states.of(enter(s.root, { rules }), at("/secret")), "forbidden");
  await assertDeniedLater(s.states.in(enter(s.root, { rules }), at("/secret")), "forbidden");
});

Deno.test("changes on the disk beside the server change the ETags of all folders above, no others", async () => {
  await using s = await setUp();
  const above = ["/", "/a", "/a/b", "/a/b/c"];
  const others = ["/other", "/secret"];
  const inC = (name: string) => s.path(`a/b/c/${name}`);
  await s.changes(() => Deno.writeTextFileSync(inC("new.txt"), "n"), above, others);
  await s.changes(() => Deno.renameSync(inC("new.txt"), inC("other.txt")), above, others);
  await s.changes(() => Deno.writeTextFileSync(inC("part"), "in place of"), above, others);
  await s.changes(() => Deno.renameSync(inC("part"), inC("other.txt")), above, others);
  await s.changes(() => Deno.removeSync(inC("other.txt")), above, others);
  await s.changes(() => Deno.mkdirSync(inC("folder")), above, others);
  await s.changes(() => Deno.renameSync(inC("folder"), s.path("a/folder")), above, others);
  await s.changes(
    () => {
      Deno.removeSync(inC("deep.txt"));
      Deno.mkdirSync(inC("deep.txt"));
    },
    above,
    others,
  );
});

Deno.test("a file that another program changes in place changes the ETags of the folders above", async () => {
  await using s = await setUp();
  const [above, others] = [["/", "/a", "/a/b", "/a/b/c"], ["/other"]];
  const file = s.path("a/b/c/deep.txt");
  await s.changes(() => Deno.writeTextFileSync(file, "longer than that"), above, others);
  await s.changes(() => Deno.utimeSync(file, 1_000_000, 1_000_000), above, others);
});

Deno.test("ETags stay while nothing visible changes: for others, after a restart, and after chmod", async () => {
  await using s = await setUp();
  const before = await s.etag();
  Deno.chmodSync(s.path("a/side.txt"), 0o600);
  Deno.writeTextFileSync(s.path("a/.cubby-nothing"), "");
  Deno.removeSync(s.path("a/.cubby-nothing"));
  assert.equal(await s.etag(), before);
  const next = s.open();
  assert.equal(await s.etag("/", {}, next), before);
  next.close();
  // A folder below first.
  const third = s.open();
  assert.equal(await s.etag("/a/b", {}, third), await s.etag("/a/b"));
  assert.equal(await s.etag("/", {}, third), before);
  third.close();
});

Deno.test("what a viewer may not see changes neither ETag nor size", async () => {
  await using s = await setUp();
  const rights: Rights = {
    rules: [{ allow: false, regex: false, path: "/secret" }] as never,
    hideDotfiles: true,
  };
  const hidden = () => {
    Deno.writeTextFileSync(s.path("secret/more.txt"), "more");
    Deno.writeTextFileSync(s.path("a/.dot"), "hidden");
  };
  await s.changes(hidden, [], ["/", "/a", "/a/b"], rights);
  const { bytes } = await s.states.of(enter(s.root, rights), at("/"));
  assert.equal(bytes, 1 + 5 + 3 + 2);
  await s.changes(() => Deno.writeTextFileSync(s.path("a/.dot2"), "!"), ["/", "/a"], ["/secret"]);
});

Deno.test("sizes count all files below, and the folders in a folder come by their names", async () => {
  await using s = await setUp();
  const access = enter(s.root);
  assert.equal((await s.states.of(access, at("/"))).bytes, 1 + 5 + 3 + 2 + 4);
  const states = await s.states.in(access, at("/"));
  assert.deepEqual([...states.keys()].sort(), ["a", "other", "secret"]);
  assert.deepEqual(states.get("a"), await s.states.of(access, at("/a")));
  assert.equal(states.get("a")?.bytes, 8);
});

Deno.test("links count as what they lead to, and a loop of links ends", async () => {
  await using s = await setUp();
  Deno.symlinkSync(s.path("other/calm.txt"), s.path("a/file link"));
  Deno.symlinkSync(s.path("other"), s.path("a/folder link"));
  Deno.symlinkSync(s.root, s.path("a/b/loop"));
  Deno.symlinkSync("/etc", s.path("a/outside"));
  const access = enter(s.root);
  const states = await s.states.in(access, at("/a"));
  assert.deepEqual([...states.keys()].sort(), ["b", "folder link"]);
  assert.equal((await s.states.of(access, at("/a/b/loop/a/b/loop"))).bytes > 0, true);
  // The target of a link to a file changes elsewhere.
  await s.changes(
    () => Deno.writeTextFileSync(s.path("other/calm.txt"), "changed, and longer"),
    ["/", "/a", "/other", "/a/folder link"],
    ["/a/b/c"],
  );
  // Of what a linked folder holds, the folder with the link knows as well.
  Deno.removeSync(s.path("a/file link"));
  await s.changes(() => Deno.removeSync(s.path("a/b/loop")), ["/", "/a", "/a/b"], ["/other"]);
  await s.changes(
    () => Deno.writeTextFileSync(s.path("other/new.txt"), "new"),
    ["/", "/a", "/other", "/a/folder link"],
    ["/a/b"],
  );
});

Deno.test("names that are not UTF-8, and folders that cannot be read, have lasting states", async () => {
  await using s = await setUp();
  const raw = Buffer.concat([Buffer.from(`${s.path("other")}/`), Buffer.from([0xff, 0xfe])]);
  await s.changes(
    async () => (await import("node:fs")).writeFileSync(raw, "raw"),
    ["/", "/other"],
    ["/a"],
  );
  await s.changes(() => Deno.mkdirSync(s.path("closed"), { mode: 0 }), ["/"], ["/other"]);
  const before = await s.etag();
  assert.equal(await s.etag(), before);
  Deno.chmodSync(s.path("closed"), 0o700);
});

Deno.test("a change of the server's own is seen by the next question, in every thread", async () => {
  await using s = await setUp();
  const other = s.open();
  const access = enter(s.root);
  for (let round = 0; round < 20; round++) {
    const before = await s.etag("/a");
    assert.equal(await s.etag("/a", {}, other), before);
    Deno.writeTextFileSync(s.path("a/side.txt"), "x".repeat(round + 1));
    s.states.notifyChanged(access, at("/a/side.txt"));
    const now = await s.etag("/a");
    assert.notEqual(now, before);
    // The other thread is told by a message.
    for (let tries = 0; tries < 200 && await s.etag("/a", {}, other) !== now; tries++) {
      await delay(5);
    }
    assert.equal(await s.etag("/a", {}, other), now);
  }
  other.close();
});

Deno.test("each named root has its state, and the top changes with them", async () => {
  await using s = await setUp();
  const roots = [
    { name: "One", path: "/a", readOnly: false },
    { name: "Two", path: "/other", readOnly: true },
  ] as never;
  const access = enter(s.root, { roots });
  const states = await s.states.in(access, at("/"));
  assert.deepEqual([...states.keys()].sort(), ["One", "Two"]);
  assert.equal(states.get("One")?.bytes, 8);
  await s.changes(
    () => Deno.writeTextFileSync(s.path("a/b/c/deep.txt"), "changed"),
    ["/", "/One", "/One/b"],
    ["/Two"],
    { roots },
  );
  await s.changes(
    () => Deno.writeTextFileSync(s.path("a/b/c/deep.txt"), "changed once more"),
    ["/", "/One"],
    ["/Two"],
    { roots, hideDotfiles: true },
  );
});

Deno.test("a folder of many files is answered, and a change of one of them found", async () => {
  await using s = await setUp({ many: {}, few: {} });
  plantMany(s.path("many"), 2_000);
  await s.changes(
    () => Deno.writeTextFileSync(s.path("many/entry 01000.txt"), "changed in place"),
    ["/", "/many"],
    ["/few"],
  );
});

Deno.test("a folder that takes the place of a watched one is watched as well", async () => {
  await using s = await setUp({ a: { "x.txt": "1" }, next: { "x.txt": "1" } });
  await s.etag();
  Deno.renameSync(s.path("a"), s.path("former"));
  Deno.renameSync(s.path("next"), s.path("a"));
  await s.changes(
    () => Deno.writeTextFileSync(s.path("a/x.txt"), "in place, in the next folder"),
    ["/", "/a"],
    ["/former"],
  );
});
