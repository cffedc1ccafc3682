/** The server, or a sync client of Nextcloud or ownCloud, ends by SIGKILL in the midst of a sync. */
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  assertSameTrees,
  ensureSyncClients,
  settle,
  type SyncClient,
  syncClients,
  type SyncedFolder,
  syncedFolders,
  type SyncRun,
  textsIn,
} from "../support/clients/sync.ts";
import { plantNoise, temporaryFolder } from "../support/disks/files.ts";
import { type RunningServer, startServer } from "../support/server/server.ts";

await ensureSyncClients("kills of sync clients and their server");

const mebibyte = 2 ** 20;

/** Size of the large files, in chunks of a mebibyte. */
const chunks = 24;

/** Chunks that have arrived when a side ends. */
const arrived = 10;

/** Chunks that clients send at the same time, at most. */
const atOnce = 6;

/** Small files, of which some have arrived when a side ends. */
const many = 120;

/** A server that starts again at the same address, on the same folders, and folders of a client. */
interface Scene extends AsyncDisposable {
  root: string;
  /** All that the running server has logged. */
  log(): string;
  /** Ends the server by SIGKILL, and starts it again. */
  restart(): Promise<void>;
  folder(): Promise<SyncedFolder>;
}

async function openScene(client: SyncClient): Promise<Scene> {
  const place = await temporaryFolder();
  const [root, data] = [join(place.path, "root"), join(place.path, "data")];
  await Deno.mkdir(join(root, "kept"), { recursive: true });
  for (const name of ["x", "y", "z"]) await Deno.writeTextFile(join(root, "kept", name), name);
  const start = (...flags: string[]): Promise<RunningServer> =>
    startServer({ root, data, flags: ["--sync-clients", ...flags] });
  let server = await start();
  const { url, username, password } = server;
  const folders = await syncedFolders(client);
  return {
    root,
    log: () => server.output(),
    folder: () => folders.add({ url, username, password }),
    async restart() {
      Deno.kill(server.pid, "SIGKILL");
      await server.stop();
      server = await start("--port", new URL(url).port);
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await folders[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

/** Waits until something holds. @param what for the failure */
async function until(what: string, holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 60_000; !holds();) {
    assert.ok(Date.now() < end, `It never came so far: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The chunks that a server has taken, by its log. */
const chunksIn = (log: string) =>
  (log.match(/ 20\d [\d.]+ms PUT \/remote\.php\/dav\/uploads\//g) ?? []).length;

function entriesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** The bytes of a file that a client is fetching, under a temporary name. */
function fetched(folder: string, name: string): number {
  const part = entriesIn(folder).find((each) => each.startsWith(`.${name}.~`));
  if (part === undefined) return 0;
  try {
    return Deno.statSync(join(folder, part)).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return 0;
    throw error;
  }
}

for (const client of syncClients) {
  for (const victim of ["server", "client"] as const) {
    Deno.test(`${client} loses nothing when the ${victim} is killed during syncs`, async () => {
      await using scene = await openScene(client);
      const { root } = scene;
      const [one, two] = [await scene.folder(), await scene.folder()];
      await settle(one, two);
      const kill = async (run: SyncRun) => {
        if (victim === "server") await scene.restart();
        else run.kill();
        const printed = await run.output;
        for (const folder of [one, two]) folder.forgetFailures();
        return printed;
      };
      let log = "";

      await Deno.mkdir(join(one.path, "many"));
      for (let number = 0; number < many; number++) {
        await Deno.writeTextFile(join(one.path, `many/${number}.txt`), `file ${number}`);
      }
      const ofMany = one.begin();
      await until("small files arrive", () => entriesIn(join(root, "many")).length > 20);
      log += await kill(ofMany);
      log += await settle(one, two);
      await assertSameTrees(log, root, one, two);

      await plantNoise(join(one.path, "large.bin"), chunks * mebibyte);
      const before = chunksIn(scene.log());
      const upload = { chunkBytes: mebibyte };
      const ofLarge = one.begin(upload);
      await until("chunks arrive", () => chunksIn(scene.log()) >= before + arrived);
      log = await kill(ofLarge);
      log += await one.sync(upload);
      // It continues: what had arrived is not sent again.
      const sent = chunksIn(scene.log()) - (victim === "server" ? 0 : before);
      assert.ok(
        sent <= (victim === "server" ? chunks - arrived : chunks + atOnce),
        `${sent} ${log}`,
      );
      assert.deepEqual((await textsIn(root))["large.bin"], (await textsIn(one.path))["large.bin"]);

      const download = two.begin({ flags: ["--downlimit", "2000"] });
      await until("a download begins", () => fetched(two.path, "large.bin") > mebibyte / 2);
      log += await kill(download);
      log += await settle(two, one);
      await assertSameTrees(log, root, one, two);
      assert.equal(entriesIn(join(two.path, "many")).length, many);
    });
  }
}
