/** The sync clients of Nextcloud and ownCloud for the command line, from Debian. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { temporaryFolder } from "../disks/files.ts";
import { type AppOptions, startApp, type TestApp } from "../server/app.ts";
import { ensurePrograms } from "../run/debian.ts";

/** The programs. */
export const syncClients = ["nextcloudcmd", "owncloudcmd"] as const;

/** One of {@linkcode syncClients}. */
export type SyncClient = typeof syncClients[number];

/** Time after which a client is ended, in milliseconds: it waits for an answer that nobody gives. */
const maxMs = 120_000;

/** Sees to it that the programs are there. @param what the tests that need them */
export async function ensureSyncClients(what: string): Promise<void> {
  await ensurePrograms(
    { nextcloudcmd: "nextcloud-desktop-cmd", owncloudcmd: "owncloud-client-cmd" },
    what,
  );
}

/** Whose files, on which server. */
export interface SyncAccount {
  /** Where the server listens, without a slash at the end. */
  url: string;
  username: string;
  password: string;
}

/** A folder that a client keeps in step with a server. */
export interface SyncedFolder {
  path: string;
  /** Runs the client once. @returns what it prints */
  sync(options?: SyncOptions): Promise<string>;
  /** Begins to run the client. */
  begin(options?: SyncOptions): SyncRun;
  /** Has the next run try again what has failed, as the client does itself after half a minute. */
  forgetFailures(): void;
}

/** How a client runs. */
export interface SyncOptions {
  /** More flags, such as `--downlimit`. */
  flags?: string[];
  /** Size of the chunks of large files, in bytes. */
  chunkBytes?: number;
  /** By how much the clock of the computer is wrong, as `faketime` reads it: `+1d`. */
  clock?: string;
}

/** A client that runs. */
export interface SyncRun {
  /** Ends the client at once, as `kill -9` does. Nothing happens where it has ended by itself. */
  kill(): void;
  /** What it has printed at its end. @throws Error when it has to be ended, as it hangs */
  output: Promise<string>;
}

/** Folders of one client, which are gone with the block that holds them. */
export interface SyncedFolders extends AsyncDisposable {
  /** Makes an empty folder. */
  add(account: SyncAccount): Promise<SyncedFolder>;
}

/** @param limitMs after which a run of the client is ended */
export async function syncedFolders(client: SyncClient, limitMs = maxMs): Promise<SyncedFolders> {
  const homes = await temporaryFolder();
  let count = 0;
  return {
    async add(account) {
      const home = join(homes.path, String(++count));
      const path = join(home, "files");
      await Deno.mkdir(path, { recursive: true });
      await Deno.writeTextFile(join(home, ".excluded"), "");
      const begin = (options: SyncOptions = {}) =>
        beginSync(client, account, { home, path }, limitMs, options);
      return {
        path,
        begin,
        sync: (options) => begin(options).output,
        forgetFailures: () => forgetFailures(path),
      };
    },
    // Deno's own removal holds a descriptor for each level.
    async [Symbol.asyncDispose]() {
      await new Deno.Command("rm", { args: ["-rf", homes.path] }).output();
    },
  };
}

/** What `faketime` leaves right: how long something takes, and the times that files have. */
const wrongClock = { DONT_FAKE_MONOTONIC: "1", NO_FAKE_STAT: "1" };

/** @param place the folder, and one for the settings of the client */
function beginSync(
  client: SyncClient,
  { url, username, password }: SyncAccount,
  place: { home: string; path: string },
  limitMs: number,
  { flags: more = [], chunkBytes, clock }: SyncOptions,
): SyncRun {
  const flags = ["--non-interactive", "-h", "--exclude", join(place.home, ".excluded")];
  const chunks = ["CHUNK", "MIN_CHUNK", "MAX_CHUNK"].map((name) =>
    [`OWNCLOUD_${name}_SIZE`, String(chunkBytes)] as const
  );
  const account = ["-u", username, "-p", password, place.path, url];
  const clocked = clock === undefined ? [] : ["-m", "-f", clock, client];
  const command = new Deno.Command(clock === undefined ? client : "faketime", {
    args: [...clocked, ...flags, ...more, ...account],
    env: {
      ...clocked.length > 0 && wrongClock,
      HOME: place.home,
      QT_QPA_PLATFORM: "offscreen",
      ...chunkBytes && Object.fromEntries(chunks),
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(limitMs),
  });
  const child = command.spawn();
  let hasEnded = false;
  child.status.then(() => hasEnded = true);
  return {
    kill() {
      if (!hasEnded) child.kill("SIGKILL");
    },
    output: child.output().then(({ stdout, stderr, signal }) => {
      const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
      if (signal === "SIGTERM") throw new Error(`${client} has not ended in time:\n${text}`);
      return text;
    }),
  };
}

/** @param folder whose journal of the client has what failed */
function forgetFailures(folder: string): void {
  for (const { name } of Deno.readDirSync(folder)) {
    if (!/^\.sync_\w+\.db$/.test(name)) continue;
    using journal = new DatabaseSync(join(folder, name));
    journal.exec("DELETE FROM blacklist");
  }
}

/** What clients keep for themselves in a folder, and the server in its root: the trash. */
const ownNames = /^\.(?:sync_|_sync_|owncloudsync|nextcloudsync|cubby-trash$)/;

/** From this size, in bytes, the content of a file is compared by its digest. */
const maxText = 100_000;

/** The files and folders below a folder, by their paths, with the texts of the files. */
export async function textsIn(folder: string, above = ""): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (above === "" && ownNames.test(name)) continue;
    const path = join(folder, name);
    if (isDirectory) {
      Object.assign(texts, { [`${above}${name}/`]: "" }, await textsIn(path, `${above}${name}/`));
    } else texts[above + name] = await textOf(path);
  }
  return texts;
}

async function textOf(path: string): Promise<string> {
  const { size } = await Deno.stat(path);
  if (size < maxText) return await Deno.readTextFile(path);
  const hash = createHash("sha256");
  using file = await Deno.open(path);
  for await (const piece of file.readable) hash.update(piece);
  return `${size} bytes, ${hash.digest("hex")}`;
}

/**
 * Asserts that the folder of a server and the folders of clients have the same files and folders.
 *
 * @param log what the clients have printed
 */
export async function assertSameTrees(
  log: string,
  root: string,
  ...folders: SyncedFolder[]
): Promise<void> {
  const wanted = await textsIn(root);
  for (const { path } of folders) assert.deepEqual(await textsIn(path), wanted, log);
}

/** What a test of a client works with: a server, and folders of that client. */
export interface SyncScene extends AsyncDisposable {
  app: TestApp;
  /** A new folder of the administrator. */
  folder(): Promise<SyncedFolder>;
}

/** Starts a server for sync clients. @param options of the application */
export async function openSyncScene(
  client: SyncClient,
  options: Omit<AppOptions, "config">,
): Promise<SyncScene> {
  const app = await startApp({ ...options, config: { syncClients: true } });
  const { url } = app.listen();
  const folders = await syncedFolders(client);
  return {
    app,
    folder: () => folders.add({ url, ...app.admin }),
    async [Symbol.asyncDispose]() {
      await app.close();
      await folders[Symbol.asyncDispose]();
    },
  };
}

/** Runs the clients of folders in turn until each has seen what the others did. */
export async function settle(...folders: SyncedFolder[]): Promise<string> {
  let log = "";
  for (const folder of [...folders, ...folders]) log += await folder.sync();
  return log;
}
