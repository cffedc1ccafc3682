import { dirname, join, resolve } from "node:path";
import { DomainError } from "../../shared/errors.ts";
import { databaseFiles, isFileDatabase } from "../core/config/places.ts";
import { StartRefusal } from "../core/config/refusal.ts";
import { resolveConfig } from "../core/config/resolve_config.ts";
import { findStore, namesRoot } from "../core/config/sources.ts";
import { isBelow } from "../core/disk/real_path.ts";
import { openingError, removeFiles } from "../boot/prepare_data.ts";
import { pendingChanges } from "../files/entry_observers.ts";
import { activeJobs, jobParts, jobRecords } from "../features/jobs/job_records.ts";
import { isInUse, removeRecords, settledRecords, writeRecords } from "../core/kv/snapshot.ts";
import { backupMark } from "../core/kv/server_records.ts";
import { openStore, type Store } from "../core/kv/store.ts";
import { countUsers } from "../features/accounts/users/user_counts.ts";
import { sessionRecords } from "../features/accounts/users/user_records.ts";
import { type Call, type StoreCommand, wordAt } from "./command.ts";
import {
  type Copied,
  findNewFile,
  inspect,
  makeUnfinished,
  syncFile,
  writeBackup,
} from "./store_copies.ts";

/** `backup <file>`: copies the store, while servers use it. */
export const backupCommand: StoreCommand = {
  name: "backup",
  words: "<file>",
  about: "copy the store into a new file; the server may be running",
  async runOnStore(call) {
    const named = wordAt(call, 0, "file");
    if (call.words.length > 1) {
      throw new DomainError("invalid_option", `Cannot use "${call.words[1]}": one file is enough`);
    }
    const database = findStore(call.environment);
    const file = findNewFile(named, resolve(call.cwd, named));
    if (namesRoot(call.environment)) {
      const { root } = resolveConfig(call.environment).config;
      if (isBelow(file, root)) {
        throw new StartRefusal(
          `Cannot write "${named}": it lies in the served folder, where users could read it`,
        );
      }
    }
    const { users, records, bytes } = await writeBackup(database, file, named);
    await noteBackup(database);
    call.print(
      `Wrote ${records} records, ${users} users among them, into "${named}" ` +
        `(${Math.ceil(bytes / 1024)} KiB); it holds password hashes and the signing key`,
    );
  },
};

/**
 * Records when the backup was written, for the server check. The backup counts without it, too: the
 * store may be one that this account can only read.
 */
async function noteBackup(database: string): Promise<void> {
  try {
    const store = await openStore(database, { keepsSchema: true });
    try {
      await backupMark.set(store, [], { at: Date.now() });
    } finally {
      store.close();
    }
  } catch {
    return;
  }
}

/** `restore <file>`: puts a backup in the store's place. */
export const restoreCommand: StoreCommand = {
  name: "restore",
  words: "<file>",
  about:
    "replace the store by a backup, with the server stopped; --overwrite replaces an existing store",
  flags: [{ name: "overwrite" }],
  async runOnStore(call) {
    const named = wordAt(call, 0, "file");
    if (call.words.length > 1) {
      throw new DomainError("invalid_option", `Cannot use "${call.words[1]}": one file is enough`);
    }
    const database = findStore(call.environment);
    if (database === ":memory:") {
      throw new StartRefusal("Cannot restore: the store is only in memory");
    }
    const backup = findBackup(named, resolve(call.cwd, named));
    const isFile = isFileDatabase(database);
    if (isFile && backup === database) {
      throw new StartRefusal(`Cannot restore "${named}": it is the store itself`);
    }
    // Beside the store, or in the folder of the caller: it is checked, and changed, as a copy.
    const copy = makeUnfinished(isFile ? dirname(database) : call.cwd, database);
    try {
      copyBackup(backup, copy, named);
      const what = `Cannot restore "${named}": it`;
      const copied = await inspect(copy, what, { change: forgetMoments });
      const kept = isFile
        ? replaceFile(database, copy, call)
        : await replaceRemote(database, copy, call);
      tell(call, copied, kept);
    } finally {
      removeFiles(copy);
    }
  },
};

function tell(call: Omit<Call, "records">, { users, records }: Copied, kept: string | null): void {
  call.print(
    `Restored ${records} records, ${users} users among them; all users have to sign in again`,
  );
  if (kept !== null) call.print(`The former store is kept as "${kept}"`);
}

/** @throws DomainError `not_found`; StartRefusal when it is not a file */
function findBackup(named: string, path: string): string {
  try {
    const real = Deno.realPathSync(path);
    if (Deno.statSync(real).isFile) return real;
  } catch {
    throw new DomainError(
      "not_found",
      `Cannot read "${named}": it does not exist or cannot be read`,
    );
  }
  throw new StartRefusal(`Cannot restore "${named}": it is not a file`);
}

/**
 * A backup is one file. One that was taken by copying a store's files has its log beside it, and is
 * no whole without it.
 */
function copyBackup(backup: string, copy: string, named: string): void {
  const [, log = ""] = databaseFiles(backup);
  const logged = [log].filter((path) => sizeOf(path) > 0);
  try {
    Deno.copyFileSync(backup, copy);
    for (const path of logged) Deno.copyFileSync(path, `${copy}-wal`);
    for (const path of [copy, ...logged.map(() => `${copy}-wal`)]) Deno.chmodSync(path, 0o600);
  } catch (error) {
    if (error instanceof Deno.errors.PermissionDenied) {
      throw new DomainError("not_found", `Cannot read "${named}": permission denied`);
    }
    const isFull = error instanceof Error && "code" in error && error.code === "ENOSPC";
    if (isFull) {
      throw new DomainError("disk_full", `Cannot restore "${named}": the store's disk is full`);
    }
    throw error;
  }
}

/**
 * Puts a checked copy in the place of a store in a file.
 *
 * @returns the new name of the former store; null when there was none
 * @throws StartRefusal when it is in use, or there and not to be replaced
 */
function replaceFile(database: string, copy: string, call: Omit<Call, "records">): string | null {
  const isThere = databaseFiles(database).some((path) => sizeOf(path) > 0);
  if (isThere) refuseUnlessOverwriting(database, call);
  if (isThere && isInUse(database)) {
    throw new StartRefusal(`Cannot restore into "${database}": a server or a command uses it`);
  }
  giveOwner(copy, database);
  syncFile(copy);
  const kept = isThere ? keepFormer(database) : null;
  Deno.renameSync(copy, database);
  return kept;
}

/** The former store with its log, under a name that tells when. */
function keepFormer(database: string): string {
  const kept = `${database}.before-${stamp()}`;
  for (const path of databaseFiles(database)) {
    try {
      Deno.renameSync(path, path.replace(database, () => kept));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return kept;
}

/** A store that root restores still belongs to the server's account. */
function giveOwner(copy: string, database: string): void {
  if (Deno.build.os === "windows" || Deno.uid() !== 0) return;
  const { uid, gid } = infoOf(database) ?? Deno.statSync(dirname(database));
  if (uid !== null && gid !== null) Deno.chownSync(copy, uid, gid);
}

/**
 * Writes a checked copy into a store on the network: it has no moment at which one takes the
 * other's place, so that servers must be stopped. The former records go into a file first.
 */
async function replaceRemote(
  database: string,
  copy: string,
  call: Omit<Call, "records">,
): Promise<string | null> {
  let kept: string | null = null;
  const to = await opened(database);
  try {
    if (await countUsers(to) > 0) {
      refuseUnlessOverwriting(database, call);
      const name = `cubby-store.before-${stamp()}.kv`;
      kept = findNewFile(name, join(call.cwd, name));
      await writeBackup(database, kept, name);
    }
    const from = await opened(copy);
    try {
      await removeRecords(to, []);
      await writeRecords(to, await from.list<unknown>([]));
      const [wanted, found] = [await from.list([]), await settledRecords(to)];
      if (wanted.length === found.length) return kept;
      throw new Error(
        "other records were written during the restore; stop every server and restore again",
      );
    } catch (error) {
      const former = kept === null ? "" : `; the former records are in "${kept}"`;
      const reason = error instanceof Error ? error.message : String(error);
      throw new StartRefusal(`Cannot restore into "${database}" as a whole: ${reason}${former}`);
    } finally {
      from.close();
    }
  } finally {
    to.close();
  }
}

async function opened(location: string): Promise<Store> {
  try {
    return await openStore(location);
  } catch (error) {
    throw openingError(location, error);
  }
}

function refuseUnlessOverwriting(database: string, { flags }: Pick<Call, "flags">): void {
  if (flags.get("overwrite") === "true") return;
  throw new StartRefusal(
    `Cannot restore into "${database}": the store exists; --overwrite replaces it and keeps a copy beside it`,
  );
}

/** The time, as part of a file's name: `20250301-174502`. */
function stamp(): string {
  return new Date().toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
}

function sizeOf(path: string): number {
  return infoOf(path)?.size ?? 0;
}

function infoOf(path: string): Deno.FileInfo | null {
  try {
    return Deno.statSync(path);
  } catch {
    return null;
  }
}

/**
 * Removes what must not come back from a copy of an earlier time: sessions, some of which were
 * ended since; and work that was under way, which would go on with files that have changed since.
 */
async function forgetMoments(store: Store): Promise<void> {
  for (const { key: [, user, id] } of await store.list(activeJobs.prefix())) {
    if (typeof user !== "number" || typeof id !== "string") continue;
    await removeRecords(store, jobParts.prefix(user, id));
    await jobRecords.remove(store, user, id);
  }
  for (const each of [activeJobs, sessionRecords, pendingChanges]) {
    await removeRecords(store, each.prefix());
  }
}
