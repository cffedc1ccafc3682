import { DomainError } from "../shared/errors.ts";
import { Gate } from "./access/gate.ts";
import { Archives } from "./archive/archives.ts";
import { ArchiveBrowser } from "./archive/browse/archive_browser.ts";
import { ContentIndex } from "./contents/content_index.ts";
import type { Config } from "./config/config.ts";
import { isRemote } from "./config/places.ts";
import { EntryObservers } from "./files/entry_observers.ts";
import { ResumableUploads } from "./files/upload/resumable.ts";
import {
  forgetLostParts,
  removeExpiredParts,
  sweepTemporaries,
} from "./files/upload/temporaries.ts";
import { UploadParts } from "./files/upload/upload_parts.ts";
import { StoredUploadJournal } from "./files/upload/upload_journal.ts";
import { HeavyAnswers } from "./http/middleware/heavy_answers.ts";
import { previewConcurrency, Previews } from "./images/previews.ts";
import { Media } from "./media/media.ts";
import { Programs } from "./media/programs/programs.ts";
import { openStore, type Store } from "./kv/store.ts";
import { ContentWorker } from "./workers/content_worker.ts";
import { CommandRunner } from "./commands/command_runner.ts";
import { ConnectionMeters } from "./commands/connection_meters.ts";
import { EndedSessions } from "./auth/ended_sessions.ts";
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
import { expireTrash } from "./trash/expire_trash.ts";
import { Trash } from "./trash/trash.ts";
import { TransferWorker } from "./workers/transfer_worker.ts";
import { ListingWorker } from "./workers/listing_worker.ts";
import { Favorites } from "./places/favorites.ts";
import { FolderViews } from "./places/folder_views.ts";
import { Recent } from "./places/recent.ts";
import { JobRecords } from "./jobs/job_records.ts";
import { Jobs } from "./jobs/jobs.ts";
import { Watches } from "./watch/watches.ts";

/** Interval at which expired uploads and trash are removed, in milliseconds. */
const expireEveryMs = 60 * 60 * 1000;

/** The open resources of one serving thread, and its jobs, which work with all others. */
export interface Cubby extends OpenCubby {
  jobs: Jobs;
}

/** The open resources of one serving thread: the configuration, the records, the gate. */
export interface OpenCubby {
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
  favorites: Favorites;
  folderViews: FolderViews;
  recent: Recent;
  trash: Trash;
  archives: Archives;
  archiveBrowser: ArchiveBrowser;
  contents: ContentIndex;
  previews: Previews;
  /** Looks into videos, PDF, music and pictures. */
  media: Media;
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
 * @param isFirst whether no other thread of this process works on the store: then what is half done
 * is what a killed process has left
 * @throws DomainError when the first administrator's name or password cannot be used
 */
export async function openCubby(
  config: Config,
  log: Log = openLog(),
  slowDisks: SlowDisks | null = null,
  isFirst = true,
): Promise<Cubby> {
  const store = await openStore(config.database);
  const passwords = await openPasswords();
  const users = new Users(store, passwords);
  const attempts = new LoginThrottle(store);
  const key = await openSigningKey(store);
  const lifeMs = config.tokenLifeMs;
  const ended = new EndedSessions(config.root);
  const sessions = new Sessions({ store, users, passwords, attempts, key, lifeMs, ended });
  const shares = new Shares(store, passwords);
  const settings = new SettingsStore(store);
  const uploadFolders = new StoredUploadJournal(store);
  const gate = new Gate(config, uploadFolders);
  const observers = new EntryObservers(store, gate);
  observers.add(shares);
  const parts = new UploadParts(store);
  observers.add(parts);
  const favorites = new Favorites(store);
  observers.add(favorites.lists);
  const folderViews = new FolderViews(store);
  observers.add(folderViews.lists);
  const recent = new Recent({
    store,
    isAlone: config.workers === 1 && !isRemote(config.database),
    report: (error) => log.line(`Cannot note recent files: ${error}`),
  });
  observers.add(recent.lists);
  const expiry = setInterval(() => void expire(), expireEveryMs);
  Deno.unrefTimer(expiry);
  const listingWorker = new ListingWorker();
  const keepsVersions = async () => (await settings.get()).trash.versions;
  const trash = new Trash({ store, spec: gate.spec(), listingWorker, observers, keepsVersions });
  const transferWorker = new TransferWorker();
  const contentWorker = new ContentWorker();
  const archives = new Archives();
  const archiveBrowser = new ArchiveBrowser();
  const note = (sentence: string) => log.line(sentence);
  const contents = new ContentIndex({
    cacheDir: config.cacheDir,
    spec: gate.spec(),
    settings: () => settings.get(),
    readerHost: config.readerHost ?? null,
    note,
    isKeeper: isFirst,
  });
  const media = new Media({ programs: new Programs(config), note });
  const previews = new Previews({
    cacheDir: config.cacheDir,
    concurrency: previewConcurrency(config.workers),
    finder: media,
    note,
  });
  const watches = new Watches(
    gate,
    sessions,
    async (userId) => await jobs?.active(userId) ?? [],
    // A Worker that has just died has forgotten all sizes anyway.
    (real) => void listingWorker.noteChange(gate.spec(), real).catch(() => {}),
  );
  const runner = await CommandRunner.open(config);
  const meters = config.disableExec ? null : new ConnectionMeters();
  const jobRecords = new JobRecords(store);
  let jobs: Jobs | null = null;

  async function expire(): Promise<void> {
    try {
      await observers.finishLate();
      for (const records of [sessions, attempts, shares]) await records.removeExpired();
      await removeExpiredParts(gate, parts);
      await expireTrash(trash, gate.spec(), (await settings.get()).trash);
      await jobs?.expire();
    } catch (error) {
      log.line(`Cannot remove what has expired: ${error}`);
    }
  }

  /** Removes what the last run has left. A store that cannot be written now waits for the next. */
  async function tidyUp(): Promise<void> {
    try {
      for (const records of [sessions, attempts, shares]) await records.removeExpired();
      await observers.finishPending(isFirst);
      await removeExpiredParts(gate, parts);
      await forgetLostParts(gate, parts, await trash.records.tops());
      await sweepTemporaries(gate, uploadFolders, parts, await jobRecords.stagings());
      await trash.sweep(isFirst);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      log.line(`Cannot tidy up: ${error.message}`);
    }
  }

  function close(): void {
    clearInterval(expiry);
    jobs?.close();
    watches.close();
    recent.close();
    void runner.close();
    meters?.close();
    listingWorker.close();
    transferWorker.close();
    contentWorker.close();
    archives.close();
    archiveBrowser.close();
    contents.close();
    previews.close();
    void media.close();
    passwords.close();
    ended.close();
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
    await tidyUp();
  } catch (error) {
    close();
    throw error;
  }
  const open: OpenCubby = {
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
      archiveBrowser,
      contents,
      previews,
      media,
      runner,
      meters,
      log,
      close,
    },
    transferWorker,
    contentWorker,
    uploads: new ResumableUploads(parts, gate),
    watches,
    slowDisks,
    rootWatch: new RootWatch(config.root),
    observers,
    key,
    shares,
    favorites,
    folderViews,
    recent,
    heavy: new HeavyAnswers(),
    settings,
    trash,
  };
  jobs = new Jobs(open, jobRecords);
  return { ...open, jobs };
}
