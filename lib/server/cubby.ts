import { Gate } from "./access/gate.ts";
import { Archives } from "./archive/archives.ts";
import type { Config } from "./config/config.ts";
import { EntryObservers } from "./files/entry_observers.ts";
import { ResumableUploads } from "./files/upload/resumable.ts";
import { removeExpiredParts, sweepTemporaries } from "./files/upload/temporaries.ts";
import { UploadParts } from "./files/upload/upload_parts.ts";
import { StoredUploadJournal } from "./files/upload/upload_journal.ts";
import { HeavyAnswers } from "./http/middleware/heavy_answers.ts";
import { previewConcurrency, Previews } from "./images/previews.ts";
import { openStore, type Store } from "./kv/store.ts";
import { ContentWorker } from "./workers/content_worker.ts";
import { CommandRunner } from "./commands/command_runner.ts";
import { ConnectionMeters } from "./commands/connection_meters.ts";
import { LoginThrottle } from "./auth/login_throttle.ts";
import { Sessions } from "./auth/sessions.ts";
import { openSigningKey } from "./auth/signing_key.ts";
import { SettingsStore } from "./settings/settings_store.ts";
import { Shares } from "./shares/shares.ts";
import type { SlowDisks } from "./slow_disks/slow_disks.ts";
import { RootWatch } from "./boot/root_watch.ts";
import { type Log, openLog } from "./log/log.ts";
import { createFirstAdmin } from "./users/first_admin.ts";
import { openPasswords, type Passwords } from "./passwords/passwords.ts";
import { Users } from "./users/users.ts";
import { TransferWorker } from "./workers/transfer_worker.ts";
import { ListingWorker } from "./workers/listing_worker.ts";
import { Watches } from "./watch/watches.ts";

/** Interval at which expired uploads are removed, in milliseconds. */
const expireEveryMs = 60 * 60 * 1000;

/** The open resources of one serving thread: the configuration, the records, the gate. */
export interface Cubby {
  config: Config;
  store: Store;
  users: Users;
  passwords: Passwords;
  attempts: LoginThrottle;
  sessions: Sessions;
  /** Signs the tokens of share visitors. */
  key: CryptoKey;
  shares: Shares;
  settings: SettingsStore;
  gate: Gate;
  listingWorker: ListingWorker;
  transferWorker: TransferWorker;
  contentWorker: ContentWorker;
  uploads: ResumableUploads;
  observers: EntryObservers;
  archives: Archives;
  previews: Previews;
  watches: Watches;
  /** Forwards requests about slow disks; null in threads that wait for those themselves. */
  slowDisks: SlowDisks | null;
  rootWatch: RootWatch;
  runner: CommandRunner;
  /** Meters of the sockets on which commands are typed; null while these are off. */
  meters: ConnectionMeters | null;
  /** The memory budget of heavy answers. */
  heavy: HeavyAnswers;
  log: Log;
  /** Closes all. Requests that still run after it fail. */
  close(): void;
}

/**
 * Opens everything for a configuration; on the first run it creates the first administrator and
 * prints the password, unless one was given.
 *
 * @param log the server's log; standard output unless given
 * @param slowDisks forwards requests about slow disks; without it this thread waits for them
 * @throws DomainError when the first administrator's name or password cannot be used
 */
export async function openCubby(
  config: Config,
  log: Log = openLog(),
  slowDisks: SlowDisks | null = null,
): Promise<Cubby> {
  const store = await openStore(config.database);
  const passwords = await openPasswords();
  const users = new Users(store, passwords);
  const attempts = new LoginThrottle(store);
  const key = await openSigningKey(store);
  const lifeMs = config.tokenLifeMs;
  const sessions = new Sessions({ store, users, passwords, attempts, key, lifeMs });
  const shares = new Shares(store, passwords);
  const observers = new EntryObservers();
  observers.add(shares);
  const uploadFolders = new StoredUploadJournal(store);
  const gate = new Gate(config, uploadFolders);
  const parts = new UploadParts(store);
  const expiry = setInterval(() => void expireParts(), expireEveryMs);
  Deno.unrefTimer(expiry);
  const listingWorker = new ListingWorker();
  const transferWorker = new TransferWorker();
  const contentWorker = new ContentWorker();
  const archives = new Archives();
  const previews = new Previews({
    cacheDir: config.cacheDir,
    concurrency: previewConcurrency(config.workers),
    note: (sentence) => log.line(sentence),
  });
  const watches = new Watches(gate, sessions);
  const runner = await CommandRunner.open(config);
  const meters = config.disableExec ? null : new ConnectionMeters();

  async function expireParts(): Promise<void> {
    try {
      await removeExpiredParts(gate, parts);
    } catch (error) {
      log.line(`Cannot remove expired uploads: ${error}`);
    }
  }

  function close(): void {
    clearInterval(expiry);
    watches.close();
    void runner.close();
    meters?.close();
    listingWorker.close();
    transferWorker.close();
    contentWorker.close();
    archives.close();
    previews.close();
    passwords.close();
    store.close();
    log.close();
  }

  if (meters?.canCount === false) {
    log.line("Commands: messages of their sockets are bounded only once whole on this system");
  }
  try {
    const password = await createFirstAdmin(users, config);
    if (password !== null) {
      log.line(`First run: the user "${config.username}" has the password ${password}`);
    }
    await removeExpiredParts(gate, parts);
    await sweepTemporaries(gate, uploadFolders, parts);
  } catch (error) {
    close();
    throw error;
  }
  return {
    ...{
      config,
      store,
      users,
      passwords,
      attempts,
      sessions,
      gate,
      listingWorker,
      archives,
      previews,
      runner,
      meters,
      log,
      close,
    },
    transferWorker,
    contentWorker,
    uploads: new ResumableUploads(parts),
    watches,
    slowDisks,
    rootWatch: new RootWatch(config.root),
    observers,
    key,
    shares,
    heavy: new HeavyAnswers(),
    settings: new SettingsStore(store),
  };
}
