/** Files of macOS whose entries are gone are removed, where they hold nothing of worth. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { CompanionSweep } from "../../../lib/server/features/dav/companion_sweep.ts";
import { delay } from "../../../lib/shared/delay.ts";
import type { EntryPath } from "../../../lib/shared/path.ts";
import { dayMs } from "../../../lib/shared/time.ts";
import { davClient } from "../../support/clients/dav.ts";
import {
  appleDouble,
  blankFork,
  finderInfo,
  infoWith,
  resourceFork,
} from "../../support/data/apple_double.ts";
import { quarters } from "../../support/data/pictures.ts";
import { deny } from "../../support/data/rules.ts";
import { plant, type Tree } from "../../support/disks/files.ts";
import { startApp } from "../../support/server/app.ts";
import { contentsOf } from "../../support/server/contents.ts";
import { assertStatus } from "../../support/server/refused.ts";

const worthless = appleDouble();
const info = { kind: finderInfo, bytes: new Uint8Array(32) };
const later = 2 * dayMs;
const app = await startApp({ config: { webdav: true }, inProcess: true });
Deno.test.afterAll(app.close);

const { gate, users, settings, locks, observers } = app.cubby;
const notes: string[] = [];
const sweep = new CompanionSweep({
  ...{ gate, users, settings, locks, observers },
  notifyChanged: (access, ...paths) => app.cubby.notifyChanged(access, ...paths),
  note: (sentence) => void notes.push(sentence),
});

let count = 0;

/** A folder in the root, and what a sweep does to it. */
async function folderWith(tree: Tree) {
  const name = `folder${++count}`;
  const real = join(app.root, name);
  await Deno.mkdir(real);
  await plant(real, tree);
  const names = () => [...Deno.readDirSync(real)].map(({ name }) => name).sort();
  return {
    ...{ name, real, names },
    /** Lets a sweep take names in it, later by so many milliseconds. */
    async sweep(taken = names(), ms = later) {
      const folder = `/${name}` as EntryPath;
      await app.later(ms, () => sweep.take({ folder, names: taken }));
      await sweep.take(null);
      return names();
    },
  };
}

/** Changes the settings for a test. */
async function withRules(rules: ReturnType<typeof deny>[], test: () => Promise<void>) {
  const before = await settings.get();
  await settings.update({ ...before, rules });
  try {
    await test();
  } finally {
    await settings.update(before);
  }
}

Deno.test("what holds anything of worth stays", async () => {
  const fork = { kind: resourceFork, bytes: new TextEncoder().encode("a font of 1994") };
  const folder = await folderWith({
    "._fork": appleDouble([info, fork]),
    "._tags": appleDouble([infoWith({ "com.apple.metadata:_kMDItemUserTags": "red" }), blankFork]),
    "._unknown": appleDouble([infoWith({ "org.example.notes": "mine" }), blankFork]),
    "._cut": worthless.slice(0, 30),
    "._notes": "my own notes",
    "._empty": "",
    "._large": new Uint8Array([...worthless, ...new Uint8Array(70_000)]),
    "._folder": { "in.txt": "in" },
    "a.dat": worthless,
    "._": worthless,
  });
  const before = folder.names();
  assert.equal(before.length, 10);
  assert.deepEqual(await folder.sweep(), before);
});

Deno.test("a file whose entry is there stays, whatever that is, and however it is spelled", async () => {
  const folder = await folderWith({
    ...{ "a.txt": "a", "._a.txt": worthless, docs: {}, "._docs": worthless, "._link": worthless },
    ...{ ["caf\u00e9"]: "nfc", ["._cafe\u0301"]: worthless },
    ...{ ["the\u0301"]: "nfd", ["._th\u00e9"]: worthless },
  });
  await Deno.symlink("nowhere", join(folder.real, "link"));
  const before = folder.names();
  assert.deepEqual(await folder.sweep(), before);
});

Deno.test("a link, and a file of two names, stay", async () => {
  const folder = await folderWith({ "target": worthless, "._own": worthless });
  await Deno.symlink("target", join(folder.real, "._link"));
  await Deno.link(join(folder.real, "._own"), join(folder.real, "second"));
  const before = folder.names();
  assert.deepEqual(await folder.sweep(), before);
});

Deno.test("a folder that became a link is left alone, wherever that leads", async () => {
  const outside = join(app.root, "../outside");
  const inside = await folderWith({ "._gone": worthless });
  await Deno.mkdir(outside);
  await plant(outside, { "._gone": worthless });
  for (const target of [outside, inside.real]) {
    const folder = await folderWith({});
    await Deno.remove(folder.real);
    await Deno.symlink(target, folder.real);
    assert.deepEqual(await folder.sweep(["._gone", "../._gone"]), ["._gone"]);
  }
});

Deno.test("one that was written less than a day ago stays, until its file arrives", async () => {
  const folder = await folderWith({});
  // Finder writes both by itself, in any order.
  const finder = davClient(app);
  const body = worthless;
  await assertStatus(await finder("PUT", `/${folder.name}/._a.txt`, { body }), 201);
  assert.deepEqual(await folder.sweep(folder.names(), 0), ["._a.txt"]);
  assert.deepEqual(await folder.sweep(folder.names(), dayMs - 60_000), ["._a.txt"]);
  await assertStatus(await finder("PUT", `/${folder.name}/a.txt`, { body: "a" }), 201);
  assert.deepEqual(await folder.sweep(), ["._a.txt", "a.txt"]);
  // Its own times say nothing: a copy has those of the original.
  await Deno.remove(join(folder.real, "a.txt"));
  await Deno.utime(join(folder.real, "._a.txt"), 0, 0);
  await Deno.utime(folder.real, 0, 0);
  assert.deepEqual(await folder.sweep(folder.names(), 0), ["._a.txt"]);
});

Deno.test("what a rule denies to all stays", async () => {
  const folder = await folderWith({ "._gone": worthless });
  await withRules([deny(`/${folder.name}`)], async () => {
    assert.deepEqual(await folder.sweep(), ["._gone"]);
  });
  await withRules([deny(`/${folder.name}/._gone`)], async () => {
    assert.deepEqual(await folder.sweep(), ["._gone"]);
  });
  assert.deepEqual(await folder.sweep(), []);
});

Deno.test("where all users may only read, nothing is removed", async () => {
  const folder = await folderWith({ "._gone": worthless });
  await app.addUser("reader", {
    roots: [{ name: "kept", path: folder.name, readOnly: true }],
  });
  await app.addUser("guest", { scope: folder.name, perm: { delete: false } });
  await app.addUser("tidy", { scope: folder.name, hideDotfiles: true });
  // The administrator alone is denied the folder by a rule.
  const { id } = await app.cubby.users.byName("admin") ?? assert.fail();
  await users.update(id, { rules: [deny(`/${folder.name}`)] });
  try {
    assert.deepEqual(await folder.sweep(), ["._gone"]);
    await app.addUser("writer", { scope: folder.name });
    assert.deepEqual(await folder.sweep(), []);
  } finally {
    await users.update(id, { rules: [] });
  }
});

Deno.test("a lock of a program on it, or on its folder, keeps it", async () => {
  const folder = await folderWith({ "._gone": worthless });
  const body = '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope>' +
    "<locktype><write/></locktype></lockinfo>";
  const finder = davClient(app);
  for (const path of [`/${folder.name}/._gone`, `/${folder.name}/`]) {
    // A lock lasts for an hour at most.
    await app.later(later, async () => {
      const locked = await finder("LOCK", path, { headers: { depth: "0" }, body });
      await assertStatus(locked.clone(), 200);
      const [token = ""] = /urn:uuid:[^<]+/.exec(await locked.text()) ?? [];
      assert.deepEqual(await folder.sweep(folder.names(), 0), ["._gone"]);
      const headers = { "lock-token": `<${token}>` };
      await assertStatus(await finder("UNLOCK", path, { headers }), 204);
    });
  }
  assert.deepEqual(await folder.sweep(), []);
});

Deno.test("worthless ones go for good, with a line in the log, and count for the quota", async () => {
  const tree = {
    ...{ "._a.jpg": worthless, "._b.jpg": appleDouble([infoWith({}), blankFork]) },
    ...{ "._c.jpg": appleDouble([infoWith({ "com.apple.quarantine": "0083" }), blankFork]) },
    ...{ "kept.jpg": "kept", "._kept.jpg": worthless },
  };
  const folder = await folderWith(tree);
  await withRules([deny(`/${folder.name}`)], async () => {
    const quota = { bytes: 1_000_000, files: 100 };
    const scope = folder.name;
    // The rule is about paths below the root: not about those of this user.
    const { user } = await app.addUser("limited", { scope, quota });
    const before = await app.cubby.quotas.recount(user);
    notes.length = 0;
    assert.deepEqual(await folder.sweep(), ["._kept.jpg", "kept.jpg"]);
    assert.deepEqual(notes, ["Removed 3 files of macOS (._name) without a file"]);
    const gone = [tree["._a.jpg"], tree["._b.jpg"], tree["._c.jpg"]];
    const bytes = gone.reduce((sum, { length }) => sum + length, 0);
    const [usage] = await app.cubby.quotas.usagesOf([user]);
    const { usedBytes, usedFiles } = usage ?? assert.fail();
    assert.deepEqual(
      [Number(before.usedBytes) - Number(usedBytes), Number(before.usedFiles) - Number(usedFiles)],
      [bytes, 3],
    );
  });
  const { items } = await (await app.call("GET", "/api/trash", {
    token: await app.tokenOf("admin"),
  })).json();
  assert.deepEqual(items, []);
  notes.length = 0;
  await sweep.take(null);
  assert.deepEqual(notes, []);
});

Deno.test("a folder in which something has changed is left for a day", async () => {
  const folder = await folderWith({ "._a.jpg": worthless, "._b.jpg": worthless });
  assert.deepEqual(await folder.sweep(["._a.jpg"]), ["._b.jpg"]);
  assert.deepEqual(await folder.sweep(["._b.jpg"], dayMs - 60_000), ["._b.jpg"]);
  assert.deepEqual(await folder.sweep(["._b.jpg"]), []);
});

/** Waits until a file is gone, and the walk that has found it is logged. */
async function isSwept(of: typeof app, name: string) {
  for (;;) {
    const isThere = await Deno.stat(join(of.root, name)).then(() => true, () => false);
    const isLogged = of.log.lines.some((line) => line.includes("Removed 1 file of macOS"));
    if (!isThere && isLogged) return;
    await delay(20);
  }
}

const photos: Tree = {
  "sea.jpg": new Uint8Array(await quarters(30, 20).jpeg().toBuffer()),
  "._sea.jpg": worthless,
  "._own.jpg": "my own",
  deep: { "._gone.jpg": worthless },
};

Deno.test("the walk of the timeline finds them", async () => {
  await using other = await startApp({ tree: photos, inProcess: true });
  await other.later(later, async () => {
    const token = await other.tokenOf("admin");
    await assertStatus(await other.call("GET", "/api/timeline", { token }), 200);
    await isSwept(other, "deep/._gone.jpg");
  });
  await Deno.stat(join(other.root, "._sea.jpg"));
  await Deno.stat(join(other.root, "._own.jpg"));
});

Deno.test("the walk of content search finds them", async () => {
  await using other = await startApp({ tree: photos, inProcess: true });
  await other.later(later, async () => {
    await contentsOf(other, await other.tokenOf("admin")).switchOn();
    await isSwept(other, "deep/._gone.jpg");
  });
  await Deno.stat(join(other.root, "._sea.jpg"));
});
