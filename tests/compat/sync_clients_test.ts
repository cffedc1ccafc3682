/** The sync clients of Nextcloud and ownCloud against the whole application. */
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  ensureSyncClients,
  runSyncClient,
  type SyncClient,
  syncClients,
} from "../support/clients/sync.ts";
import { plant, temporaryFolder, type Tree } from "../support/disks/files.ts";
import { startApp, type TestApp } from "../support/server/app.ts";

await ensureSyncClients("sync clients");

const odd = "Docs ü/#%&+ 日本 `.txt";

/** A folder that a client keeps in step with the server. */
interface Synced {
  path: string;
  /** Runs the client once. @returns what it prints */
  sync(): Promise<string>;
}

/** What a test works with: a server, and folders of one client. */
interface Scene extends AsyncDisposable {
  app: TestApp;
  /** A new folder. */
  folder(): Promise<Synced>;
}

/** @param tree what the server has, besides a few files that stay: a client asks before it loses all */
async function openScene(client: SyncClient, tree: Tree = {}): Promise<Scene> {
  const kept = Object.fromEntries(["w", "x", "y", "z"].map((name) => [`${name}.txt`, name]));
  const app = await startApp({ config: { syncClients: true }, tree: { kept, ...tree } });
  const { url } = app.listen();
  const { username, password } = app.admin;
  const homes = await temporaryFolder();
  let count = 0;
  return {
    app,
    async folder() {
      const home = join(homes.path, String(++count));
      const path = join(home, "files");
      await Deno.mkdir(path, { recursive: true });
      const run = { url, user: username, password, folder: path, home };
      return { path, sync: () => runSyncClient(client, run) };
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await homes[Symbol.asyncDispose]();
    },
  };
}

/** Asserts that the server and the folders of clients have the same files and folders. */
async function assertSame(log: string, { app }: Scene, ...folders: Synced[]): Promise<void> {
  const wanted = await textsIn(app.root);
  for (const { path } of folders) assert.deepEqual(await textsIn(path), wanted, log);
}

/** Runs the clients of folders in turn until each has seen what the others did. */
async function settle(...folders: Synced[]): Promise<string> {
  let log = "";
  for (const folder of [...folders, ...folders]) log += await folder.sync();
  return log;
}

/** The files and folders below a folder, by their paths, with the texts of the files. */
async function textsIn(folder: string, above = ""): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    // What a client keeps for itself.
    if (/^\.(?:sync_|_sync_|owncloudsync|nextcloudsync)/.test(name)) continue;
    const path = join(folder, name);
    if (isDirectory) {
      Object.assign(texts, { [`${above}${name}/`]: "" }, await textsIn(path, `${above}${name}/`));
    } else texts[above + name] = await Deno.readTextFile(path);
  }
  return texts;
}

for (const client of syncClients) {
  Deno.test(`${client} uploads a tree, and brings it to another computer`, async () => {
    await using scene = await openScene(client, { "from the disk": { "d.txt": "disk" } });
    const [one, two] = [await scene.folder(), await scene.folder()];
    await plant(one.path, { "a.txt": "one", empty: {}, "Docs ü": {}, deep: { er: { still: {} } } });
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
    const log = await settle(one, two);
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
}
