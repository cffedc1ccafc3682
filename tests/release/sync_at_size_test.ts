/**
 * The sync clients of Nextcloud and ownCloud with many, large and deep files. It takes some minutes,
 * so that it runs for `deno task test release`, or by its name, and prints what it has measured.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  assertSameTrees,
  ensureSyncClients,
  type SyncClient,
  syncClients,
  type SyncedFolder,
  syncedFolders,
} from "../support/clients/sync.ts";
import { plantNoise } from "../support/disks/files.ts";
import { type RunningServer, startServer } from "../support/server/server.ts";

await ensureSyncClients("sync clients with many and large files");

/** Longer than any run takes, in milliseconds. */
const limitMs = 30 * 60_000;

interface Scene extends AsyncDisposable {
  server: RunningServer;
  one: SyncedFolder;
  two: SyncedFolder;
}

async function openScene(client: SyncClient): Promise<Scene> {
  const prepare = async (root: string) => {
    await Deno.mkdir(join(root, "kept"));
    for (const name of ["x", "y", "z"]) await Deno.writeTextFile(join(root, "kept", name), name);
  };
  const server = await startServer({ flags: ["--sync-clients"], prepare });
  const folders = await syncedFolders(client, limitMs);
  return {
    server,
    one: await folders.add(server),
    two: await folders.add(server),
    async [Symbol.asyncDispose]() {
      await folders[Symbol.asyncDispose]();
      // Its own removal holds a descriptor for each level of a deep folder.
      for (const { name } of Deno.readDirSync(server.root)) {
        await new Deno.Command("rm", { args: ["-rf", join(server.root, name)] }).output();
      }
      await server.stop();
    },
  };
}

/** A request in the log of a server. */
interface Logged {
  method: string;
  ms: number;
}

/** The requests for files that a server has logged, from a place of its log on. */
function requestsIn(server: RunningServer, from: number): Logged[] {
  const lines = server.output().slice(from).matchAll(/ \d{3} ([\d.]+)ms ([A-Z]+) \/remote\.php/g);
  return [...lines].map(([, ms, method = ""]) => ({ method, ms: Number(ms) }));
}

/** Runs a client. @returns the requests, and a text of what was measured */
async function measured(
  what: string,
  { server }: Scene,
  folder: SyncedFolder,
): Promise<{ log: string; requests: Logged[] }> {
  const from = server.output().length;
  const begun = performance.now();
  const log = await folder.sync();
  const seconds = (performance.now() - begun) / 1000;
  const requests = requestsIn(server, from);
  const counts = Map.groupBy(requests, ({ method }) => method);
  const told = [...counts].map(([method, all]) => `${all.length} ${method}`).join(", ");
  const ms = requests.reduce((sum, request) => sum + request.ms, 0);
  console.log(`${what}: ${seconds.toFixed(1)} s; ${told}, ${ms.toFixed(0)} ms on the server`);
  return { log, requests };
}

for (const client of syncClients) {
  Deno.test(`${client} syncs 10,000 small files, then asks once, and renames 1,000 at once`, async () => {
    await using scene = await openScene(client);
    const { server: { root }, one, two } = scene;
    for (let number = 0; number < 10_000; number++) {
      const folder = join(one.path, `folder ${Math.floor(number / 1000)}`);
      if (number % 1000 === 0) await Deno.mkdir(folder);
      await Deno.writeTextFile(join(folder, `${number}.txt`), `file ${number}`);
    }
    const up = await measured(`${client} 10,000 files up`, scene, one);
    const down = await measured(`${client} 10,000 files down`, scene, two);
    await assertSameTrees(up.log + down.log, root, one, two);
    // The client's own first look after its upload.
    await one.sync();
    const again = await measured(`${client} 10,000 unchanged files`, scene, one);
    assert.deepEqual(again.requests.map(({ method }) => method), ["PROPFIND"], again.log);

    await Deno.rename(join(one.path, "folder 3"), join(one.path, "renamed"));
    const renamed = await measured(`${client} a folder of 1,000 files renamed`, scene, one);
    const changes = renamed.requests.filter(({ method }) => method !== "PROPFIND");
    assert.deepEqual(changes.map(({ method }) => method), ["MOVE"], renamed.log);
    const taken = await measured(`${client} that folder on the other side`, scene, two);
    assert.deepEqual(taken.requests.filter(({ method }) => method !== "PROPFIND"), [], taken.log);
    await assertSameTrees(renamed.log + taken.log, root, one, two);
  });

  Deno.test(`${client} syncs a file of 1 GiB`, async () => {
    await using scene = await openScene(client);
    const { server: { root }, one, two } = scene;
    await plantNoise(join(one.path, "large.bin"), 2 ** 30);
    const up = await measured(`${client} 1 GiB up`, scene, one);
    const down = await measured(`${client} 1 GiB down`, scene, two);
    await assertSameTrees(up.log + down.log, root, one, two);
  });

  Deno.test(`${client} syncs 100 levels of folders, and paths of nearly 4 KiB`, async () => {
    await using scene = await openScene(client);
    const { server: { root }, one, two } = scene;
    const deep = Array.from({ length: 100 }, (_, level) => `level ${level} ü`).join("/");
    await Deno.mkdir(join(one.path, deep), { recursive: true });
    await Deno.writeTextFile(join(one.path, deep, "bottom.txt"), "bottom");
    // The rest of the longest path of Linux is for the folders that hold these, and temporary names.
    const long = Array.from({ length: 15 }, (_, level) => `${level} `.padEnd(240, "l")).join("/");
    await Deno.mkdir(join(root, long), { recursive: true });
    await Deno.writeTextFile(join(root, long, "l".repeat(200)), "long");
    const up = await measured(`${client} 100 levels up, long paths down`, scene, one);
    const down = await measured(`${client} all of these down`, scene, two);
    await assertSameTrees(up.log + down.log, root, one, two);
    await Deno.writeTextFile(join(root, deep, "bottom.txt"), "changed on the disk");
    const changed = await measured(`${client} a change at the bottom`, scene, one);
    await assertSameTrees(changed.log, root, one);
  });
}
