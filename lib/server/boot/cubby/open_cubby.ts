import { unlessRefused } from "../../../shared/unless_refused.ts";
import { Gate } from "../../core/access/gate.ts";
import { viewerOf } from "../../core/access/viewer.ts";
import { Archives } from "../../features/archive/archives.ts";
import { openArchiveBrowser } from "../../features/archive/browse/archive_browser.ts";
import { Audit } from "../../features/audit/audit.ts";
import type { ActivityListener } from "../../features/audit/record.ts";
import { openSigningKey } from "../../features/accounts/auth/signing_key.ts";
import { RootWatch } from "../root_watch.ts";
import { CommandRunner } from "../../features/commands/command_runner.ts";
import { ConnectionMeters } from "../../features/commands/connection_meters.ts";
import { Rooms } from "../../features/coediting/rooms.ts";
import { endLeases, removeLog, roomRecords } from "../../features/coediting/room_records.ts";
import type { Config } from "../../core/config/config.ts";
import { isRemote } from "../../core/config/places.ts";
import { FolderSizes } from "../../features/folder_sizes/folder_sizes.ts";
import { ContentIndex } from "../../features/contents/content_index.ts";
import type { SpentCompanions } from "../../features/contents/index_walk.ts";
import { PhotoIndex } from "../../features/photos/photo_index.ts";
import { CompanionSweep } from "../../features/dav/companion_sweep.ts";
import { DeadProperties, propertyRecords } from "../../features/dav/dead_properties.ts";
import { FileChecksums } from "../../features/dav/file_checksums.ts";
import { FileIds } from "../../features/dav/file_ids.ts";
import { FolderStates } from "../../features/dav/folder_states/folder_states.ts";
import { IdLookups } from "../../features/dav/id_lookups.ts";
import { davLocks, Locks } from "../../features/dav/locks.ts";
import { officeDocuments } from "../../features/office/documents.ts";
import { openOffice } from "../../features/office/office.ts";
import { EntryObservers } from "../../files/entry_observers.ts";
import { makeNewHome } from "../../files/make_folder.ts";
import { ChunkedUploads } from "../../files/upload/chunked/chunked_uploads.ts";
import { ResumableUploads } from "../../files/upload/resumable.ts";
import { forgetLostParts, StoredUploadJournal } from "../../files/upload/temporaries.ts";
import { UploadParts, uploadParts } from "../../files/upload/upload_parts.ts";
import { HeavyAnswers } from "../../http/middleware/heavy_answers.ts";
import { finishUploads } from "../../http/request/uploads/finish_uploads.ts";
import { previewConcurrency, Previews } from "../../features/previews/images/previews.ts";
import { JobRecords } from "../../features/jobs/job_records.ts";
import { Jobs } from "../../features/jobs/jobs.ts";
import { idsIn } from "../../core/kv/collection.ts";
import { openStore, type Store } from "../../core/kv/store.ts";
import { type Log, openLog } from "../../core/log/log.ts";
import { Mailer } from "../../features/notifications/mailer.ts";
import { SeekPictures } from "../../features/video/seek_pictures.ts";
import { Streams } from "../../features/video/streams.ts";
import { Papers } from "../../features/previews/papers/papers.ts";
import { Media } from "../../features/previews/media/media.ts";
import { Programs } from "../../features/previews/media/programs/programs.ts";
import { joinMetrics } from "../../core/metrics/metrics.ts";
import { measureEventLoop } from "../../core/metrics/process_metrics.ts";
import type { DigestOptions, Digests } from "../../features/notifications/digests.ts";
import { Notifications } from "../../features/notifications/notifications.ts";
import { openPasswords } from "../../features/accounts/passwords/passwords.ts";
import { Favorites } from "../../features/places/favorites.ts";
import { FolderViews } from "../../features/places/folder_views.ts";
import { favoriteLists, folderViewLists, recentLists } from "../../features/places/place_lists.ts";
import { Recent } from "../../features/places/recent.ts";
import { Quotas } from "../../features/quotas/quotas.ts";
import { ReceivedFiles } from "../../features/links/requests/received_files.ts";
import { requestRecords } from "../../features/links/requests/request.ts";
import { Requests } from "../../features/links/requests/requests.ts";
import { SettingsStore } from "../../features/settings/settings_store.ts";
import { NameLookups } from "../../features/links/shares/name_lookups.ts";
import { RecipientUploads } from "../../features/links/shares/recipient_uploads.ts";
import { shareTargets } from "../../features/links/shares/share_targets.ts";
import { Shares } from "../../features/links/shares/shares.ts";
import type { SlowDisks } from "../../core/slow_disks/slow_disks.ts";
import { Trash } from "../../files/trash/trash.ts";
import { createFirstAdmin } from "../../features/accounts/users/first_admin.ts";
import { Users } from "../../features/accounts/users/users.ts";
import type { MakeHome } from "../../features/accounts/users/with_home.ts";
import { FolderEvents } from "../../features/watch/folder_events.ts";
import { Watches } from "../../features/watch/watches.ts";
import type { DeliveryOptions } from "../../features/webhooks/deliveries.ts";
import type { Webhooks } from "../../features/webhooks/webhooks.ts";
import {
  openContentWorker,
  openListingWorker,
  openTransferWorker,
} from "../../files/workers/workers.ts";
import type { Cubby, OpenCubby } from "./cubby.ts";
import { currentlySeen, openAccounts } from "./open_accounts.ts";
import { Upkeep } from "./upkeep.ts";

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
  const { cubby, parts, upkeep } = await openParts(config, log, slowDisks, {
    isFirst,
    isBeside: false,
  });
  if (!config.disableExec && cubby.meters?.canCount === false) {
    log.line(
      "Commands: on this system, messages on their sockets are limited only after they have arrived",
    );
  }
  try {
    const password = await createFirstAdmin(cubby.users, config);
    if (password !== null) {
      log.line(`First run: the user "${config.username}" has the password ${password}`);
    }
    await upkeep.tidyUp();
  } catch (error) {
    cubby.close();
    throw error;
  }
  upkeep.start(cubby.jobs);
  if (isFirst) await finishWhole(cubby, parts);
  return cubby;
}

/**
 * Opens everything for one command, beside the servers that may work on the store: it creates no
 * administrator, removes nothing that a server has under way, runs no programs and keeps no index.
 */
export async function openBeside(
  config: Config,
  log: Log,
): Promise<Pick<Opened, "cubby" | "settle">> {
  const beside = { ...config, disableExec: true, metricsToken: undefined };
  return await openParts(beside, log, null, { isFirst: false, isBeside: true });
}

/** The application, with what a start of a server works on. */
interface Opened {
  cubby: Cubby;
  parts: UploadParts;
  upkeep: Upkeep;
  /** Ends the work that a server does some seconds after a change. */
  settle(): Promise<void>;
}

/** Opens all parts of the application; see {@linkcode openCubby}. */
async function openParts(
  config: Config,
  log: Log,
  slowDisks: SlowDisks | null,
  { isFirst, isBeside }: { isFirst: boolean; isBeside: boolean },
): Promise<Opened> {
  if (config.metricsToken !== undefined) joinMetrics();
  const stopMeasuring = config.metricsToken === undefined ? () => {} : measureEventLoop();
  const note = (sentence: string) => log.line(sentence);
  const store = await openStore(config.database, { note });
  // Work of other servers at the same time is half done as well.
  const isShared = config.databaseShared || isRemote(config.database);
  const isAlone = isFirst && !isShared;
  const isOnly = !isBeside && config.workers === 1 && !isShared;
  const passwords = await openPasswords(config.workers);
  const users = new Users(store, passwords);
  const key = await openSigningKey(store);
  const settings = new SettingsStore(store);
  const webhooks = await openWebhooks(config, store, {
    report: (error) => log.line(`Cannot deliver events: ${error}`, "error"),
    onEnded: ({ name }) => void notifications.notifyAdmins({ kind: "webhook_ended", name }),
  });
  // The log is opened before the sources of notifications.
  const listener: ActivityListener = {
    accepts: (action) => notifications.accepts(action),
    handle: (activity) => notifications.handle(activity),
  };
  const audit = new Audit({
    store,
    listeners: [listener, ...webhooks ? [webhooks] : []],
    key,
    level: async () => (await settings.get()).audit.level,
    report: (error) => log.line(`Cannot write the activity log: ${error}`, "error"),
    // A copy of the server's log elsewhere proves the activity log.
    onCheckpoint: ({ seq, hash }) => log.line(`Activity log: checkpoint ${seq}:${hash}`),
  });
  const journal = new StoredUploadJournal(store);
  const gate: Gate = new Gate(config, journal, (viewer) => quotas.allowanceOf(viewer));
  const makeHome: MakeHome = (home) => makeNewHome(gate, home);
  const { accounts, ...opened } = await openAccounts({
    ...{ config, store, key, users, passwords, settings, audit, makeHome, note },
    onSignIn: (user, client) => notifications.recordSignIn(user, client),
  });
  const shares = new Shares(store, passwords);
  const nameLookups = new NameLookups(store, users);
  const requests = new Requests(store, passwords, async ({ userId, id, path }) => {
    if (userId !== undefined) await uploads.dropLost({ userId, upload: id }, path);
  });
  const notifications: Notifications = new Notifications({
    ...{ store, users, shares, requests, mails: config.mail !== undefined },
    sessions: (userId) => accounts.sessions.list(userId),
    report: (error) => log.line(`Cannot write notifications: ${error}`, "error"),
  });
  const mail = config.mail ? new Mailer({ server: config.mail, note }) : null;
  const digests = mail && await openDigests(settings, { store, users, mailer: mail, report: note });
  if (isFirst) digests?.start();
  const observers = new EntryObservers(store, gate);
  observers.add(shareTargets, (ended) => shares.removeLed(idsIn(ended)), true);
  observers.add(requestRecords, (ended) => requests.dropUploads(idsIn(ended)));
  const parts = new UploadParts(store, (room, isUnsure) => quotas.release(room, isUnsure));
  const uploads: ResumableUploads = new ResumableUploads(parts, gate);
  observers.add(uploadParts, (ended) => parts.ended(ended));
  const recipientUploads = new RecipientUploads({ parts, uploads, shares, users, settings, gate });
  const favorites = new Favorites(store);
  observers.add(favoriteLists);
  const folderViews = new FolderViews(store);
  observers.add(folderViewLists);
  const recent = new Recent({
    store,
    isAlone: isOnly,
    report: (error) => log.line(`Cannot record recent files: ${error}`, "error"),
  });
  observers.add(recentLists);
  const servesDav = config.webdav || config.syncClients;
  const locks = servesDav || config.office ? new Locks(store) : null;
  const reportOffice = (reason: string) => log.line(`Office server: ${reason}`, "error");
  const office = config.office && locks
    ? openOffice(config.office, store, locks, reportOffice)
    : null;
  const deadProperties = new DeadProperties(store);
  if (locks) observers.add(davLocks);
  if (office) observers.add(officeDocuments);
  if (servesDav) observers.add(propertyRecords);
  const listingWorker = openListingWorker();
  const reportSync = (error: unknown) => log.line(`Sync clients: ${error}`, "error");
  const fileIds = config.syncClients ? new FileIds({ store, gate, report: reportSync }) : null;
  observers.inodes = fileIds;
  const idLookups = fileIds && new IdLookups(fileIds, config.root);
  const keepsVersions = async () => (await settings.get()).trash.versions;
  const trash = new Trash({
    ...{ store, spec: gate.spec(), listingWorker, observers, keepsVersions },
    onReplaced: fileIds ? (replacement) => fileIds.replaced(replacement) : undefined,
    async accessOf(userId) {
      const { rules } = await settings.get();
      const user = await unlessRefused(() => users.acting(userId), "not_found");
      return user && gate.enter(viewerOf(user, rules));
    },
  });
  const quotas: Quotas = new Quotas({
    ...{ store, users, gate, listingWorker },
    trash: trash.records,
    isAlone: isOnly,
    isPassing: isBeside,
    report: (error) => log.line(`Cannot count the usage of quotas: ${error}`, "error"),
    onNear: (near, isNear, quota) => notifications.recordQuota(near, isNear, quota),
  });
  const transferWorker = openTransferWorker();
  const contentWorker = openContentWorker();
  const fileChecksums = config.syncClients
    ? new FileChecksums({ store, gate, report: reportSync })
    : null;
  const folderStates = config.syncClients ? new FolderStates({ root: config.root, note }) : null;
  const archives = new Archives();
  const archiveBrowser = openArchiveBrowser();
  const sweep = new CompanionSweep({
    ...{ gate, users, settings, locks, observers, note },
    notifyChanged: (access, ...paths) => open.notifyChanged(access, ...paths),
  });
  const onSpent = (spent: SpentCompanions) => sweep.take(spent);
  const contents = new ContentIndex({
    cacheDir: config.cacheDir,
    spec: gate.spec(),
    settings: () => settings.get(),
    readerHost: config.readerHost ?? null,
    ...{ note, onSpent },
    isIndexer: isFirst,
  });
  const folderSizes = new FolderSizes({ cacheDir: config.cacheDir, listingWorker });
  const programs = new Programs(config);
  const media = new Media({ programs, cacheDir: config.cacheDir, note });
  const papers = new Papers({ programs, cacheDir: config.cacheDir, note });
  const streams = new Streams({ programs, cacheDir: config.cacheDir, note });
  const seekPictures = new SeekPictures({ programs, cacheDir: config.cacheDir });
  const previews = new Previews({
    cacheDir: config.cacheDir,
    concurrency: previewConcurrency(config.workers),
    finder: media,
    note,
  });
  const photos = new PhotoIndex({
    ...{ cacheDir: config.cacheDir, gate, media, note, onSpent },
    isIndexer: isFirst,
  });
  const node = config.node ?? crypto.randomUUID();
  const folderEvents = new FolderEvents(store, node);
  if (folderStates) folderEvents.listenAnywhere(() => folderStates.expire());
  const watches = new Watches(
    gate,
    (caller) => currentlySeen(caller, accounts),
    async (userId, tokenId) => await jobs?.active(userId, tokenId) ?? [],
    // Only a running Worker keeps sizes; one that dies has forgotten them.
    (real) =>
      void (listingWorker.isRunning && listingWorker.recordChange({ real }).catch(() => {})),
    folderEvents,
    (userId) => notifications.records.unreadState(userId),
  );
  if (isAlone) await endLeases(store);
  const coediting = new Rooms({ services: () => open, store, root: config.root, node });
  observers.add(roomRecords, async (ended) => {
    for (const id of idsIn(ended)) await removeLog(store, id);
  });
  const runner = await CommandRunner.open(config);
  const meters = isBeside ? null : new ConnectionMeters();
  const jobRecords = new JobRecords(store);
  let jobs: Jobs | null = null;

  const upkeep = new Upkeep({
    ...{ store, key, gate, observers, settings, trash, quotas },
    ...{ parts, journal, jobRecords, isAlone, isFirst },
    expiring: [
      ...opened.expiring,
      ...[parts.finished, parts.chunks, shares, recipientUploads, nameLookups, requests],
      ...[notifications.records, coediting],
      ...[locks, office?.documents ?? null, fileIds, fileChecksums].filter((each) => each !== null),
    ],
    report: (sentence) => log.line(sentence, "error"),
  });

  function close(): void {
    upkeep.stop();
    stopMeasuring();
    quotas.close();
    jobs?.close();
    watches.close();
    void coediting.stop();
    folderEvents.close();
    recent.close();
    audit.close();
    notifications.close();
    digests?.close();
    webhooks?.close();
    void runner.close();
    meters?.close();
    listingWorker.close();
    transferWorker.close();
    contentWorker.close();
    folderStates?.close();
    idLookups?.close();
    archives.close();
    archiveBrowser.close();
    contents.close();
    photos.close();
    previews.close();
    void media.close();
    passwords.close();
    opened.close();
    store.close();
    log.close();
  }

  const open: OpenCubby = {
    ...{ config, store, users, passwords, ...accounts, key, settings, gate, log },
    ...{ shares, recipientUploads, nameLookups, requests },
    received: new ReceivedFiles(uploads, requests.uses),
    chunkedUploads: new ChunkedUploads(parts, gate),
    ...{ listingWorker, transferWorker, contentWorker, uploads, observers, trash, quotas },
    ...{ favorites, folderViews, recent, locks, office, deadProperties },
    ...{ folderStates, fileIds, idLookups, fileChecksums },
    ...{ audit, notifications, digests, webhooks, watches, coediting, slowDisks, runner, meters },
    ...{ archives, archiveBrowser, contents, photos, folderSizes, previews, papers, media },
    streams,
    seekPictures,
    mail,
    rootWatch: new RootWatch(config.root),
    heavy: new HeavyAnswers(),
    notifyChanged(access, ...paths) {
      contents.notifyChanged(access, ...paths);
      folderSizes.notifyChanged(access, ...paths);
      photos.notifyChanged(access, ...paths);
      folderEvents.notifyChanged(access, paths);
      folderStates?.notifyChanged(access, ...paths);
      quotas.notifyChanged(access, ...paths);
      return fileChecksums?.follow(access, paths) ?? Promise.resolve();
    },
    close,
  };
  jobs = new Jobs(open, jobRecords);
  const settle = async () => void await Promise.all([quotas.settle(), folderEvents.settle()]);
  return { cubby: { ...open, jobs }, parts, upkeep, settle };
}

async function finishWhole(open: OpenCubby, parts: UploadParts): Promise<void> {
  const report = (error: unknown) => open.log.line(`Cannot finish uploads: ${error}`, "error");
  try {
    const { ended } = await finishUploads(open);
    ended.catch(report);
    await forgetLostParts(open.gate, parts, await open.trash.records.tops());
  } catch (error) {
    report(error);
  }
}

/** Without a server for mail nothing of it is loaded. */
async function openDigests(
  settings: SettingsStore,
  options: Omit<DigestOptions, "write">,
): Promise<Digests> {
  const { Digests } = await import("../../features/notifications/digests.ts");
  const { digestMail } = await import("../../http/pages/digest_mail.ts");
  return new Digests({
    ...options,
    write: async (user, notices) => digestMail(notices, user, await settings.get()),
  });
}

/** Without the option nothing of webhooks is loaded. */
async function openWebhooks(
  { webhooks: rights }: Config,
  store: Store,
  options: Pick<DeliveryOptions, "report" | "onEnded">,
): Promise<Webhooks | null> {
  if (!rights) return null;
  const { Webhooks } = await import("../../features/webhooks/webhooks.ts");
  return new Webhooks({ store, rights, ...options });
}
