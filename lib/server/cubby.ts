import { DomainError } from "../shared/errors.ts";
import type { EntryPath } from "../shared/path.ts";
import type { Access } from "./access/access.ts";
import { Gate } from "./access/gate.ts";
import { Archives } from "./archive/archives.ts";
import { ArchiveBrowser } from "./archive/browse/archive_browser.ts";
import { ContentIndex } from "./contents/content_index.ts";
import { Audit } from "./audit/audit.ts";
import { cutAudit } from "./audit/cut_audit.ts";
import type { Follower } from "./audit/record.ts";
import type { Config } from "./config/config.ts";
import { isRemote } from "./config/places.ts";
import { makeNewHome } from "./files/make_home.ts";
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
import { joinMetrics } from "./metrics/metrics.ts";
import { measureEventLoop } from "./metrics/process_metrics.ts";
import { Mailer } from "./mail/mailer.ts";
import { Media } from "./media/media.ts";
import { Programs } from "./media/programs/programs.ts";
import { DeadProperties } from "./dav/dead_properties.ts";
import { Locks } from "./dav/locks.ts";
import { openStore, type Store } from "./kv/store.ts";
import { ContentWorker } from "./workers/content_worker.ts";
import { CommandRunner } from "./commands/command_runner.ts";
import { openHookSignIn } from "./commands/hook_sign_in.ts";
import { ConnectionMeters } from "./commands/connection_meters.ts";
import type { Client } from "./auth/session.ts";
import { noteFailure, noteOpened } from "./auth/sign_in_activities.ts";
import { ApiTokens } from "./auth/api_tokens.ts";
import { currentlySeen } from "./auth/current_caller.ts";
import { EndedSessions } from "./auth/ended_sessions.ts";
import { mustEnrol } from "./auth/factors/must_enrol.ts";
import { SecondFactors } from "./auth/factors/factors.ts";
import { LoginThrottle } from "./auth/login_throttle.ts";
import { Passkeys } from "./auth/passkeys/passkeys.ts";
import { PasswordLogins } from "./auth/password_logins.ts";
import { Sessions } from "./auth/sessions.ts";
import { Invites } from "./auth/invites/invites.ts";
import { isOfDirectory, LdapCheck } from "./auth/ldap/ldap_check.ts";
import { OidcSignIn } from "./auth/oidc/oidc_sign_in.ts";
import { openSigningKey } from "./auth/signing_key.ts";
import { SettingsStore } from "./settings/settings_store.ts";
import { Notifications } from "./notifications/notifications.ts";
import { ReceivedFiles } from "./requests/received_files.ts";
import { Requests } from "./requests/requests.ts";
import { NameLookups } from "./shares/name_lookups.ts";
import { Shares } from "./shares/shares.ts";
import type { SlowDisks } from "./slow_disks/slow_disks.ts";
import { RootWatch } from "./boot/root_watch.ts";
import { type Log, openLog } from "./log/log.ts";
import { createFirstAdmin } from "./users/first_admin.ts";
import { openPasswords, type Passwords } from "./passwords/passwords.ts";
import type { User } from "./users/user.ts";
import { Users } from "./users/users.ts";
import type { MakeHome } from "./users/with_home.ts";
import { expireTrash } from "./trash/expire_trash.ts";
import { Trash } from "./trash/trash.ts";
import { TransferWorker } from "./workers/transfer_worker.ts";
import { ListingWorker } from "./workers/listing_worker.ts";
import { Favorites } from "./places/favorites.ts";
import { FolderViews } from "./places/folder_views.ts";
import { Recent } from "./places/recent.ts";
import { Quotas } from "./quotas/quotas.ts";
import { JobRecords } from "./jobs/job_records.ts";
import { Jobs } from "./jobs/jobs.ts";
import { FolderNews } from "./watch/folder_news.ts";
import { Watches } from "./watch/watches.ts";
import type { DeliveryOptions } from "./webhooks/deliveries.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";

const dayMs = 24 * 60 * 60 * 1000;

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
  factors: SecondFactors;
  passkeys: Passkeys;
  sessions: Sessions;
  /** Names and passwords of clients that have no session. */
  passwordLogins: PasswordLogins;
  /** The locks of WebDAV clients; null while there is no WebDAV. */
  locks: Locks | null;
  /** Properties that WebDAV clients have set. */
  deadProperties: DeadProperties;
  apiTokens: ApiTokens;
  /** Signing in by accounts of a provider; null without one. */
  oidc: OidcSignIn | null;
  /** Links that make users and set passwords. */
  invites: Invites;
  /** Sends mail; null where no server is named for it. */
  mail: Mailer | null;
  /** Signs the tokens of share visitors. */
  key: CryptoKey;
  shares: Shares;
  nameLookups: NameLookups;
  /** The requests for files, and what visitors send by them. */
  requests: Requests;
  received: ReceivedFiles;
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
  /** The activity log. */
  audit: Audit;
  /** Tells users what has happened. */
  notifications: Notifications;
  /** The servers that are told of events; null while there are none. */
  webhooks: Webhooks | null;
  quotas: Quotas;
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
  /** Takes entries that have come, changed or gone. @param paths as the one who changed them has them */
  touched(access: Access, ...paths: EntryPath[]): void;
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
  if (config.metricsToken !== undefined) joinMetrics();
  const stopMeasuring = config.metricsToken === undefined ? () => {} : measureEventLoop();
  const store = await openStore(config.database, (sentence) => log.line(sentence));
  // Work of other machines at the same time is half done as well.
  const isAlone = isFirst && !isRemote(config.database);
  const passwords = await openPasswords();
  const users = new Users(store, passwords);
  const key = await openSigningKey(store);
  const settings = new SettingsStore(store);
  const webhooks = await openWebhooks(config, store, {
    report: (error) => log.line(`Cannot deliver events: ${error}`, "error"),
    onEnded: ({ name }) => void notifications.notifyAdmins({ kind: "webhook_ended", name }),
  });
  // The log is there before all that notifications are made of.
  const follower: Follower = {
    wants: (action) => notifications.wants(action),
    tell: (activity) => notifications.tell(activity),
  };
  const audit = new Audit({
    store,
    followers: [follower, ...webhooks ? [webhooks] : []],
    key,
    level: async () => (await settings.get()).audit.level,
    report: (error) => log.line(`Cannot write the activity log: ${error}`, "error"),
    // Who keeps the server's log elsewhere has a hold on the activity log.
    onCheckpoint: ({ seq, hash }) => log.line(`Activity log: checkpoint ${seq}:${hash}`),
  });
  const onFailure = (account: string, address: string) => {
    return noteFailure(audit, users, account, address);
  };
  const attempts = new LoginThrottle(store, undefined, onFailure);
  const lifeMs = config.tokenLifeMs;
  const ended = new EndedSessions(config.root);
  const uploadFolders = new StoredUploadJournal(store);
  const gate: Gate = new Gate(config, uploadFolders, (viewer) => quotas.allowanceOf(viewer));
  const makeHome: MakeHome = (home) => makeNewHome(gate, home);
  const note = (sentence: string) => log.line(sentence);
  const hook = await openHookSignIn(config, { users, settings, passwords, makeHome, note });
  const factors = new SecondFactors(store, key);
  const ldap = config.ldap &&
    new LdapCheck({ directory: config.ldap, users, settings, passwords, makeHome, note });
  const check = hook?.check ?? ldap?.check.bind(ldap);
  const accounts = { users, passwords, attempts, factors, check };
  const onOpened = async (user: User, client: Client) => {
    await noteOpened(audit, user, client);
    await notifications.noteSignIn(user, client);
  };
  const sessions = new Sessions({
    ...{ store, ...accounts, key, lifeMs, ended, onOpened },
    mustEnrol: (loaded) => mustEnrol(loaded, config),
  });
  const passkeys = new Passkeys({ store, key, users, factors, attempts, sessions });
  const apiTokens = new ApiTokens(store, attempts);
  const shares = new Shares(store, passwords);
  const nameLookups = new NameLookups(store, users);
  const requests = new Requests(store, passwords);
  const notifications: Notifications = new Notifications({
    ...{ store, users, shares, requests },
    sessions: (userId) => sessions.list(userId),
    report: (error) => log.line(`Cannot write notifications: ${error}`, "error"),
  });
  const invites = new Invites({ store, users, settings, attempts, makeHome });
  const oidc = config.oidc
    ? new OidcSignIn({
      ...{ store, users, settings, sessions, attempts, provider: config.oidc },
      ...{ makeHome, note },
    })
    : null;
  const expiring = [
    sessions,
    passkeys.challenges,
    apiTokens,
    attempts,
    invites,
    shares,
    nameLookups,
    requests,
    notifications.records,
    ...oidc ? [oidc.pending] : [],
  ];
  const observers = new EntryObservers(store, gate);
  observers.add(shares);
  observers.add(requests);
  const parts = new UploadParts(store, (room) => quotas.release(room));
  const uploads = new ResumableUploads(parts, gate);
  observers.add(parts);
  const favorites = new Favorites(store);
  observers.add(favorites.lists);
  const folderViews = new FolderViews(store);
  observers.add(folderViews.lists);
  const recent = new Recent({
    store,
    isAlone: config.workers === 1 && !isRemote(config.database),
    report: (error) => log.line(`Cannot note recent files: ${error}`, "error"),
  });
  observers.add(recent.lists);
  const locks = config.webdav ? new Locks(store) : null;
  const deadProperties = new DeadProperties(store);
  if (locks) {
    observers.add(locks);
    observers.add(deadProperties);
  }
  const expiry = setInterval(() => void expire(), expireEveryMs);
  Deno.unrefTimer(expiry);
  const listingWorker = new ListingWorker();
  const keepsVersions = async () => (await settings.get()).trash.versions;
  const trash = new Trash({ store, spec: gate.spec(), listingWorker, observers, keepsVersions });
  const quotas: Quotas = new Quotas({
    ...{ store, users, gate, listingWorker },
    trash: trash.records,
    isAlone: config.workers === 1 && !isRemote(config.database),
    report: (error) => log.line(`Cannot count what quotas hold: ${error}`, "error"),
    onNear: (near, isNear, quota) => notifications.noteQuota(near, isNear, quota),
  });
  const transferWorker = new TransferWorker();
  const contentWorker = new ContentWorker();
  const archives = new Archives();
  const archiveBrowser = new ArchiveBrowser();
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
  const folderNews = new FolderNews(store, config.node ?? crypto.randomUUID());
  const watches = new Watches(
    gate,
    (caller) => currentlySeen(caller, sessions, apiTokens),
    async (userId, tokenId) => await jobs?.active(userId, tokenId) ?? [],
    // A Worker that has just died has forgotten all sizes anyway.
    (real) => void listingWorker.noteChange(gate.spec(), real).catch(() => {}),
    folderNews,
    (userId) => notifications.records.news(userId),
  );
  const runner = await CommandRunner.open(config);
  const meters = config.disableExec ? null : new ConnectionMeters();
  const jobRecords = new JobRecords(store);
  let jobs: Jobs | null = null;

  async function expire(): Promise<void> {
    try {
      await observers.finishLate();
      for (const records of expiring) await records.removeExpired();
      await locks?.removeExpired();
      await removeExpiredParts(gate, parts);
      await expireTrash(trash, gate.spec(), (await settings.get()).trash);
      await jobs?.expire();
      await quotas.verify();
      const { days } = (await settings.get()).audit;
      await cutAudit(store, key, Date.now() - days * dayMs);
    } catch (error) {
      log.line(`Cannot remove what has expired: ${error}`, "error");
    }
  }

  /** Removes what the last run has left. A store that cannot be written now waits for the next. */
  async function tidyUp(): Promise<void> {
    try {
      for (const records of expiring) await records.removeExpired();
      await observers.finishPending(isAlone);
      await removeExpiredParts(gate, parts);
      await forgetLostParts(gate, parts, await trash.records.tops());
      await sweepTemporaries(gate, uploadFolders, parts, await jobRecords.stagings());
      await trash.sweep(isAlone);
      await quotas.endLost(isAlone);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      log.line(`Cannot tidy up: ${error.message}`, "error");
    }
  }

  function close(): void {
    clearInterval(expiry);
    stopMeasuring();
    quotas.close();
    jobs?.close();
    watches.close();
    folderNews.close();
    recent.close();
    audit.close();
    notifications.close();
    webhooks?.close();
    void runner.close();
    void hook?.close();
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
      factors,
      passkeys,
      sessions,
      apiTokens,
      oidc,
      invites,
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
    audit,
    notifications,
    webhooks,
    transferWorker,
    contentWorker,
    uploads,
    mail: config.mail ? new Mailer({ server: config.mail, note }) : null,
    received: new ReceivedFiles(uploads, requests.uses),
    watches,
    touched(access, ...paths) {
      contents.touched(access, ...paths);
      folderNews.touched(access, paths);
      quotas.touched(access, ...paths);
    },
    slowDisks,
    rootWatch: new RootWatch(config.root),
    observers,
    key,
    shares,
    nameLookups,
    requests,
    favorites,
    folderViews,
    recent,
    heavy: new HeavyAnswers(),
    settings,
    trash,
    quotas,
    locks,
    deadProperties,
    passwordLogins: new PasswordLogins({
      ...{ users, settings, passwords, attempts },
      isElsewhere: (user) => config.ldap !== undefined && isOfDirectory(user, config.ldap),
      mustEnrol: (seen) => mustEnrol({ ...seen, session: {} }, config),
    }),
  };
  jobs = new Jobs(open, jobRecords);
  return { ...open, jobs };
}

/** Without the option nothing of webhooks is loaded. */
async function openWebhooks(
  { webhooks: rights }: Config,
  store: Store,
  options: Pick<DeliveryOptions, "report" | "onEnded">,
): Promise<Webhooks | null> {
  if (!rights) return null;
  const { Webhooks } = await import("./webhooks/webhooks.ts");
  return new Webhooks({ store, rights, ...options });
}
