import type { EntryPath } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import type { Gate } from "../../core/access/gate.ts";
import type { Archives } from "../../features/archive/archives.ts";
import type { ArchiveBrowser } from "../../features/archive/browse/archive_browser.ts";
import type { Audit } from "../../features/audit/audit.ts";
import type { ApiTokens } from "../../features/accounts/auth/api_tokens.ts";
import type { SecondFactors } from "../../features/accounts/auth/factors/factors.ts";
import type { Invites } from "../../features/accounts/auth/invites/invites.ts";
import type { LoginFlows } from "../../features/accounts/auth/login_flows.ts";
import type { LoginThrottle } from "../../features/accounts/auth/login_throttle.ts";
import type { OidcSignIn } from "../../features/accounts/auth/oidc/oidc_sign_in.ts";
import type { Passkeys } from "../../features/accounts/auth/passkeys/passkeys.ts";
import type { PasswordLogins } from "../../features/accounts/auth/password_logins.ts";
import type { Sessions } from "../../features/accounts/auth/sessions.ts";
import type { RootWatch } from "../root_watch.ts";
import type { CommandRunner } from "../../features/commands/command_runner.ts";
import type { ConnectionMeters } from "../../features/commands/connection_meters.ts";
import type { Rooms } from "../../features/coediting/rooms.ts";
import type { Config } from "../../core/config/config.ts";
import type { FolderSizes } from "../../features/folder_sizes/folder_sizes.ts";
import type { ContentIndex } from "../../features/contents/content_index.ts";
import type { PhotoIndex } from "../../features/photos/photo_index.ts";
import type { DeadProperties } from "../../features/dav/dead_properties.ts";
import type { FileChecksums } from "../../features/dav/file_checksums.ts";
import type { FileIds } from "../../features/dav/file_ids.ts";
import type { FolderStates } from "../../features/dav/folder_states/folder_states.ts";
import type { IdLookups } from "../../features/dav/id_lookups.ts";
import type { Locks } from "../../features/dav/locks.ts";
import type { Office } from "../../features/office/office.ts";
import type { EntryObservers } from "../../files/entry_observers.ts";
import type { ChunkedUploads } from "../../files/upload/chunked/chunked_uploads.ts";
import type { ResumableUploads } from "../../files/upload/resumable.ts";
import type { HeavyAnswers } from "../../http/middleware/heavy_answers.ts";
import type { SeekPictures } from "../../features/video/seek_pictures.ts";
import type { Streams } from "../../features/video/streams.ts";
import type { Papers } from "../../features/previews/papers/papers.ts";
import type { Previews } from "../../features/previews/images/previews.ts";
import type { Jobs } from "../../features/jobs/jobs.ts";
import type { Store } from "../../core/kv/store.ts";
import type { Log } from "../../core/log/log.ts";
import type { Mailer } from "../../features/notifications/mailer.ts";
import type { Media } from "../../features/previews/media/media.ts";
import type { Digests } from "../../features/notifications/digests.ts";
import type { Notifications } from "../../features/notifications/notifications.ts";
import type { Passwords } from "../../features/accounts/passwords/passwords.ts";
import type { Favorites } from "../../features/places/favorites.ts";
import type { FolderViews } from "../../features/places/folder_views.ts";
import type { Recent } from "../../features/places/recent.ts";
import type { Quotas } from "../../features/quotas/quotas.ts";
import type { ReceivedFiles } from "../../features/links/requests/received_files.ts";
import type { Requests } from "../../features/links/requests/requests.ts";
import type { SettingsStore } from "../../features/settings/settings_store.ts";
import type { NameLookups } from "../../features/links/shares/name_lookups.ts";
import type { RecipientUploads } from "../../features/links/shares/recipient_uploads.ts";
import type { Shares } from "../../features/links/shares/shares.ts";
import type { SlowDisks } from "../../core/slow_disks/slow_disks.ts";
import type { Trash } from "../../files/trash/trash.ts";
import type { Users } from "../../features/accounts/users/users.ts";
import type { Watches } from "../../features/watch/watches.ts";
import type { Webhooks } from "../../features/webhooks/webhooks.ts";
import type { ContentWorker, ListingWorker, TransferWorker } from "../../files/workers/workers.ts";

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
  /** The locks of WebDAV clients and of the office server; null while there are neither. */
  locks: Locks | null;
  /** The office server, which edits documents; null without one. */
  office: Office | null;
  /** Properties that WebDAV clients have set. */
  deadProperties: DeadProperties;
  /** ETags and sizes of folders for sync clients; null without these. */
  folderStates: FolderStates | null;
  /** Numbers of files for sync clients; null without these. */
  fileIds: FileIds | null;
  /** Finds entries by their ids; null without clients that sync. */
  idLookups: IdLookups | null;
  /** Checksums of files for sync clients; null without these. */
  fileChecksums: FileChecksums | null;
  apiTokens: ApiTokens;
  /** Sync clients that wait for the consent of their users; null without the option. */
  loginFlows: LoginFlows | null;
  /** Signing in by accounts of a provider; null without one. */
  oidc: OidcSignIn | null;
  /** Links that make users and set passwords. */
  invites: Invites;
  /** Sends mail; null where no server is named for it. */
  mail: Mailer | null;
  /** Signs the tokens of share visitors. */
  key: CryptoKey;
  shares: Shares;
  recipientUploads: RecipientUploads;
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
  chunkedUploads: ChunkedUploads;
  observers: EntryObservers;
  favorites: Favorites;
  folderViews: FolderViews;
  recent: Recent;
  trash: Trash;
  /** The activity log. */
  audit: Audit;
  /** Tells users what has happened. */
  notifications: Notifications;
  /** Mails notifications to those who want that; null where no server is named for mail. */
  digests: Digests | null;
  /** The servers that events are delivered to; null without the option. */
  webhooks: Webhooks | null;
  quotas: Quotas;
  archives: Archives;
  archiveBrowser: ArchiveBrowser;
  contents: ContentIndex;
  /** The sizes of folders in listings. */
  folderSizes: FolderSizes;
  photos: PhotoIndex;
  previews: Previews;
  /** Makes PDFs of Office documents. */
  papers: Papers;
  /** Streams films and music that browsers cannot decode. */
  streams: Streams;
  seekPictures: SeekPictures;
  /** Looks into videos, PDF, music and pictures. */
  media: Media;
  watches: Watches;
  /** The texts that several edit at once. */
  coediting: Rooms;
  /** Forwards requests about slow disks; null in threads that wait for those themselves. */
  slowDisks: SlowDisks | null;
  rootWatch: RootWatch;
  runner: CommandRunner;
  /** Meters of the sockets that clients send messages on; null beside a server. */
  meters: ConnectionMeters | null;
  /** The memory budget of heavy answers. */
  heavy: HeavyAnswers;
  log: Log;
  /**
   * Takes entries that have come, changed or gone, at once; what else is known of them has followed
   * when it resolves. It never rejects.
   *
   * @param paths as the one who changed them has them
   */
  notifyChanged(access: Access, ...paths: EntryPath[]): Promise<void>;
  /** Closes all. Requests that still run after it fail. */
  close(): void;
}
