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
    /** Whether the state of a folder is answered without the Worker, whose answer is a later task. */
    async isKept(of = "/", rights: Rights = {}) {
      let isThere = false;
      const answer = states.of(enter(root.path, rights), at(of)).then(() => isThere = true);
      for (let turn = 0; turn < 100; turn++) await null;
      const isKept = isThere;
      await answer;
      return isKept;
    },
    /** Waits until the folders are at rest, so that answers are kept. */
    async untilKept(of = "/", rights: Rights = {}): Promise<string> {
      for (let tries = 0; !await this.isKept(of, rights); tries++) {
        assert(tries < 400, `the state of "${of}" is not kept`);
        await delay(25);
      }
      return await etag(of, rights);
    },
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

Deno.test("a state is kept for its viewer until something changes, and then found at once", async () => {
  await using s = await setUp();
  const rights: Rights = { rules: [{ allow: false, regex: false, path: "/secret" }] as never };
  const inA = (name: string) => s.path(`a/b/c/${name}`);
  const changes: (() => void)[] = [
    () => Deno.writeTextFileSync(inA("new.txt"), "new"),
    () => Deno.renameSync(inA("new.txt"), inA("other.txt")),
    () => Deno.writeTextFileSync(inA("other.txt"), "changed in place"),
    () => Deno.mkdirSync(inA("folder")),
    () => Deno.writeTextFileSync(inA("folder/in it.txt"), "new"),
    () => Deno.removeSync(s.path("other"), { recursive: true }),
  ];
  for (const change of changes) {
    const all: string = await s.untilKept();
    const few: string = await s.untilKept("/", rights);
    assert.notEqual(all, few);
    assert.equal(await s.etag(), all);
    change();
    const [allNow, fewNow] = await Promise.all([s.etag(), s.etag("/", rights)]);
    assert.notEqual(allNow, all, String(change));
    assert.notEqual(fewNow, few, String(change));
  }
});

Deno.test("no state is kept after a change of the server's own, or on another machine", async () => {
  await using s = await setUp();
  await s.untilKept();
  s.states.notifyChanged(enter(s.root), at("/a/side.txt"));
  assert.equal(await s.isKept(), false);
  await s.untilKept();
  s.states.expire();
  assert.equal(await s.isKept(), false);
});

Deno.test("no state is kept of a folder in whose place is another, by a rename above", async () => {
  await using s = await setUp({
    users: { bob: { "x.txt": "1" } },
    next: { bob: { "y.txt": "22" } },
  });
  const rights: Rights = { scope: "/users/bob" };
  const before = await s.untilKept("/", rights);
  Deno.renameSync(s.path("users"), s.path("former"));
  await assertDeniedLater(s.states.of(enter(s.root, rights), at("/")), "not_found");
  Deno.renameSync(s.path("next"), s.path("users"));
  assert.notEqual(await s.etag("/", rights), before);
});

Deno.test("no state is kept of a folder with links, or after the Worker has ended", async () => {
  await using s = await setUp();
  const before = await s.untilKept();
  s.states.close();
  Deno.writeTextFileSync(s.path("a/b/c/deep.txt"), "changed in place");
  assert.equal(await s.isKept(), false);
  assert.notEqual(await s.untilKept(), before);
  Deno.symlinkSync(s.path("other/calm.txt"), s.path("a/link"));
  await s.untilKept("/other");
  assert.equal(await s.isKept(), false);
  assert.equal(await s.isKept(), false);
});

Deno.test("the state of the top is kept when all named roots are there, until one is gone", async () => {
  await using s = await setUp();
  const roots = ["a", "other"].map((name) => ({ name, path: `/${name}`, readOnly: false }));
  const rights: Rights = { roots: roots as never };
  const before = await s.untilKept("/", rights);
  Deno.removeSync(s.path("other"), { recursive: true });
  const without = await s.etag("/", rights);
  assert.notEqual(without, before);
  assert.equal(await s.isKept("/", rights), false);
  Deno.mkdirSync(s.path("other"));
  assert.notEqual(await s.etag("/", rights), without);
});
