/** The sync clients of Nextcloud and ownCloud against the whole application. */
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  assertSameTrees,
  ensureSyncClients,
  openSyncScene,
  settle,
  type SyncClient,
  syncClients,
  type SyncedFolder,
  type SyncScene,
  textsIn,
} from "../support/clients/sync.ts";
import { plant, type Tree } from "../support/disks/files.ts";
import type { TestApp } from "../support/server/app.ts";

await ensureSyncClients("sync clients");

const odd = "Docs ü/#%&+ 日本 `.txt";

/** Names that all systems, a URL, a header or a shell may read in their own way. */
const names = [
  ...[
    "#%?日本 `.txt",
    "👩‍👩‍👧 🎉.txt",
    "e\u0301 nfd.txt",
    "\u00e9 nfc.txt",
    "both \u00e9",
    "both e\u0301",
  ],
  ...[
    "dot.",
    "...three",
    ".hidden",
    'a:b|c*?"<>.txt',
    "con.txt",
    "new\nline",
    "tab\t.txt",
    "~tilde",
  ],
  ...[
    "100%",
    "%41",
    "a&b=c;d",
    "+plus+",
    "case",
    "CASE",
    "$HOME",
    "'q'",
    "[x]",
    "-",
    "--help",
    "İ",
  ],
  ...["\u200b", "\u202eabc", "line\u2028end", "d".repeat(236), "日".repeat(78)],
];

/** Whether a path has the name by which clients keep their own side of a conflict. */
const isConflictCopy = (path: string) => / \(conflicted copy /.test(path);

async function setTime(path: string, text: string, seconds: number): Promise<void> {
  await Deno.writeTextFile(path, text);
  await run("touch", "-d", `@${seconds}`, path);
}

async function run(program: string, ...args: string[]): Promise<void> {
  const { success } = await new Deno.Command(program, { args }).output();
  assert.ok(success, `${program} ${args.join(" ")}`);
}

/** The requests of a server, from one on, that are more than looking. */
function transfers({ log }: TestApp, from: number): string[] {
  return log.requests.slice(from).filter(({ method, path }) =>
    method !== "PROPFIND" && !/^\/(?:ocs|status\.php)/.test(path)
  ).map(({ method, path }) => `${method} ${path}`);
}

/** @param tree what the server has, besides a few files that stay: a client asks before it loses all */
function openScene(client: SyncClient, tree: Tree = {}): Promise<SyncScene> {
  const kept = Object.fromEntries(["w", "x", "y", "z"].map((name) => [`${name}.txt`, name]));
  return openSyncScene(client, { tree: { kept, ...tree } });
}

/** Asserts that the server and the folders of clients have the same files and folders. */
function assertSame(log: string, { app }: SyncScene, ...folders: SyncedFolder[]): Promise<void> {
  return assertSameTrees(log, app.root, ...folders);
}

for (const client of syncClients) {
  Deno.test(`${client} uploads a tree, and brings it to another computer`, async () => {
    await using scene = await openScene(client, { "from the disk": { "d.txt": "disk" } });
    const [one, two] = [await scene.folder(), await scene.folder()];
    await plant(one.path, { "a.txt": "one", empty: {}, "Docs ü": {}, deep: { er: { still: {} } } });
    await plant(one.path, { python: { "__init__.py": "", "main.py": "1" } });
    await Deno.writeTextFile(join(one.path, odd), "odd");
    await Deno.writeTextFile(join(one.path, "deep/er/still/z.bin"), "z".repeat(3_000_000));
    await Deno.utime(join(one.path, "a.txt"), 1e9, 1e9);
    const log = await settle(one, two);
    await assertSame(log, scene, one, two);
    assert.equal((await Deno.stat(join(two.path, "a.txt"))).mtime?.getTime(), 1e12);
  });

  Deno.test(`${client} sees what others change on the disk, anywhere below`, async () => {
    await using scene = await openScene(client, {
      a: { b: { c: { "kept.txt": "kept", "gone.txt": "gone", "changed.txt": "before" } } },
    });
    const { root } = scene.app;
    const [one, two] = [await scene.folder(), await scene.folder()];
    await assertSame(await settle(one, two), scene, one, two);
    await Deno.writeTextFile(join(root, "a/b/c/changed.txt"), "after, and longer");
    await Deno.remove(join(root, "a/b/c/gone.txt"));
    await plant(join(root, "a/b/c"), { new: { "n.txt": "new" } });
    await Deno.remove(join(one.path, "a/b/c/kept.txt"));
    await assertSame(await settle(one, two), scene, one, two);
  });

  Deno.test(`${client} moves a renamed folder without sending its files again`, async () => {
    await using scene = await openScene(client);
    const { root } = scene.app;
    const [one, two] = [await scene.folder(), await scene.folder()];
    await Deno.mkdir(join(one.path, "photos"));
    for (let number = 0; number < 100; number++) {
      await Deno.writeTextFile(join(one.path, `photos/${number}.txt`), `photo ${number}`);
    }
    await assertSame(await settle(one, two), scene, one, two);
    const { ino } = await Deno.stat(join(root, "photos/7.txt"));
    await Deno.rename(join(one.path, "photos"), join(one.path, "pictures"));
    const from = scene.app.log.requests.length;
    const log = await settle(one, two);
    assert.deepEqual(transfers(scene.app, from), ["MOVE /remote.php/dav/files/admin/photos"]);
    await assertSame(log, scene, one, two);
    assert.equal((await Deno.stat(join(root, "pictures/7.txt"))).ino, ino);
    const before = (await Deno.stat(join(two.path, "pictures/7.txt"))).ino;
    await Deno.rename(join(root, "pictures"), join(root, "moved on the disk"));
    await assertSame(await settle(one, two), scene, one, two);
    assert.equal((await Deno.stat(join(two.path, "moved on the disk/7.txt"))).ino, before);
  });

  Deno.test(`${client} keeps both of a file that two computers have changed`, async () => {
    await using scene = await openScene(client, { "plan.txt": "plan" });
    const [one, two] = [await scene.folder(), await scene.folder()];
    await assertSame(await settle(one, two), scene, one, two);
    await Deno.writeTextFile(join(one.path, "plan.txt"), "the plan of one");
    await Deno.writeTextFile(join(two.path, "plan.txt"), "the other plan of two");
    await settle(one, two);
    const texts = Object.values(await textsIn(two.path)).filter((text) => /plan/.test(text));
    assert.deepEqual(texts.sort(), ["the other plan of two", "the plan of one"]);
    assert.equal(await Deno.readTextFile(join(scene.app.root, "plan.txt")), "the plan of one");
  });

  Deno.test(`${client} carries names of all kinds up and down`, async () => {
    await using scene = await openScene(client, { down: {} });
    const [one, two] = [await scene.folder(), await scene.folder()];
    for (const name of names) {
      await Deno.writeTextFile(join(one.path, name), `up ${name}`);
      await Deno.writeTextFile(join(scene.app.root, "down", name), `down ${name}`);
      await Deno.mkdir(join(scene.app.root, "down", `${name.slice(0, 50)} folder`));
    }
    // Too long for the temporary names of clients, which leave it alone.
    await Deno.writeTextFile(join(one.path, "n".repeat(255)), "left alone");
    const log = await settle(one, two);
    await Deno.remove(join(one.path, "n".repeat(255)));
    await assertSame(log, scene, one, two);
    assert.equal(Object.keys(await textsIn(two.path)).length, 3 * names.length + 6);
  });

  Deno.test(`${client} brings files of any time`, async () => {
    await using scene = await openScene(client);
    const [one, two] = [await scene.folder(), await scene.folder()];
    const { root } = scene.app;
    const times = { future: 4e9, far: 7e9, epoch: 0, "1960": -3e8, old: 1e8, half: 1.5e9 + 0.5 };
    for (const [name, time] of Object.entries(times)) {
      await setTime(join(root, name), name, time);
      // Times that the client of Nextcloud refuses on its own side.
      if (time > 0 && time < 2 ** 32) await setTime(join(one.path, `up ${name}`), name, time);
    }
    const log = await settle(one, two);
    await assertSame(log, scene, one, two);
    for (const name of ["future", "old", "half"]) {
      const seconds = await Promise.all(
        [root, one.path, two.path].flatMap((path) =>
          [name, `up ${name}`].map((each) => join(path, each))
        )
          .map(async (path) => Math.floor(((await Deno.stat(path)).mtime?.getTime() ?? 0) / 1000)),
      );
      assert.deepEqual([...new Set(seconds)], [Math.floor(times[name as "old"])], log);
    }
    const before = scene.app.log.requests.length;
    await settle(one, two);
    assert.deepEqual(transfers(scene.app, before), []);
  });

  Deno.test(`${client} replaces files by folders and folders by files, and changes case`, async () => {
    await using scene = await openScene(client, {
      ...{ a: "file", e: "file", f: { "in f": "f", c: { d: "d" } } },
      ...{ "Case.txt": "case", Folder: { x: "x" } },
    });
    const { root } = scene.app;
    const [one, two] = [await scene.folder(), await scene.folder()];
    await settle(one, two);
    for (const [place, file] of [[one.path, "a"], [root, "e"]] as const) {
      await Deno.remove(join(place, file));
      await plant(place, { [file]: { now: "in a folder" } });
    }
    // Not on the other side: there both clients may wait for ever after they have removed the folder.
    await Deno.remove(join(root, "f"), { recursive: true });
    await Deno.writeTextFile(join(root, "f"), "a file now");
    await Deno.rename(join(one.path, "Case.txt"), join(one.path, "cASE.txt"));
    await Deno.rename(join(one.path, "Folder"), join(one.path, "fOLDER"));
    const log = await settle(one, two);
    // In place of a folder with files clients keep that folder beside the new file, for themselves.
    const wanted = await textsIn(root);
    for (const { path } of [one, two]) {
      const texts = Object.entries(await textsIn(path));
      const shared = texts.filter(([name]) => !isConflictCopy(name));
      assert.deepEqual(Object.fromEntries(shared), wanted, log);
    }
    const { "a/now": a, "e/now": e, f, "cASE.txt": file, "fOLDER/x": inFolder } = wanted;
    assert.deepEqual([a, e, f], ["in a folder", "in a folder", "a file now"]);
    assert.deepEqual([file, inFolder], ["case", "x"]);
  });

  Deno.test(`${client} replaces a folder by a file, and that by a folder again`, async () => {
    await using scene = await openScene(client, { a: { "in.txt": "in" }, b: { "in.txt": "in" } });
    const { root } = scene.app;
    const [one, two] = [await scene.folder(), await scene.folder()];
    await settle(one, two);
    for (const [place, name] of [[one.path, "a"], [root, "b"]] as const) {
      // In two syncs: in one, clients keep the folder beside the file, for themselves.
      await Deno.remove(join(place, name), { recursive: true });
      await settle(one, two);
      await Deno.writeTextFile(join(place, name), `${name} is a file`);
      await assertSame(await settle(one, two), scene, one, two);
      assert.equal(await Deno.readTextFile(join(two.path, name)), `${name} is a file`);
      await Deno.remove(join(place, name));
      await plant(place, { [name]: { "in.txt": "a folder again" } });
      await assertSame(await settle(one, two), scene, one, two);
      assert.equal(await Deno.readTextFile(join(two.path, name, "in.txt")), "a folder again");
    }
  });

  Deno.test(`${client} loses no edit of two computers and the browser`, async () => {
    await using scene = await openScene(client, { "plan.txt": "plan", "note.txt": "note" });
    const { app } = scene;
    const [one, two] = [await scene.folder(), await scene.folder()];
    await settle(one, two);
    await Deno.writeTextFile(join(one.path, "plan.txt"), "the edit of one");
    await Deno.writeTextFile(join(two.path, "plan.txt"), "the other edit of two");
    await Deno.remove(join(two.path, "note.txt"));
    const token = await app.tokenOf(app.admin.username);
    for (const name of ["plan.txt", "note.txt"]) {
      const answer = await app.call("PUT", `/api/resources/${name}`, {
        token,
        body: "the browser's",
      });
      assert.equal(answer.ok, true);
      await answer.body?.cancel();
    }
    const log = await settle(one, two);
    for (
      const [{ path }, own] of [[one, "the edit of one"], [two, "the other edit of two"]] as const
    ) {
      const texts = await textsIn(path);
      const copies = Object.keys(texts).filter(isConflictCopy);
      assert.deepEqual(copies.map((name) => texts[name]), [own], log);
      // What one side has changed is not lost by the other's deletion.
      assert.deepEqual([texts["plan.txt"], texts["note.txt"]], ["the browser's", "the browser's"]);
      for (const name of copies) await Deno.remove(join(path, name));
    }
    await assertSame(log, scene, one, two);
  });

  Deno.test(`${client} runs on two computers at the same time`, async () => {
    await using scene = await openScene(client, { both: {} });
    const [one, two] = [await scene.folder(), await scene.folder()];
    await settle(one, two);
    for (let number = 0; number < 30; number++) {
      for (const [name, { path }] of [["one", one], ["two", two]] as const) {
        await Deno.writeTextFile(join(path, `both/${number} of ${name}.txt`), `${name} ${number}`);
      }
    }
    const logs = await Promise.all([one.sync(), two.sync()]);
    logs.push(await settle(one, two));
    await assertSame(logs.join("\n"), scene, one, two);
    assert.equal(Object.keys(await textsIn(join(scene.app.root, "both"))).length, 60);
  });
}
