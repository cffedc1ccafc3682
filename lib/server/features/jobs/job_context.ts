import type { EntryPath } from "../../../shared/path.ts";
import type { AuditAction } from "../../../shared/schemas/choices/audit_choices.ts";
import type { Access } from "../../core/access/access.ts";
import { serverPath } from "../audit/server_path.ts";
import type { SignedIn } from "../accounts/auth/session.ts";
import type { Gate } from "../../core/access/gate.ts";
import type { Store } from "../../core/kv/store.ts";
import type { SlowDisks } from "../../core/slow_disks/slow_disks.ts";
import type { EntryObservers } from "../../files/entry_observers.ts";
import type { Trash } from "../../files/trash/trash.ts";
import type { ContentWorker, ListingWorker, TransferWorker } from "../../files/workers/workers.ts";
import type { Archives } from "../archive/archives.ts";
import type { ApiTokens } from "../accounts/auth/api_tokens.ts";
import type { Users } from "../accounts/users/users.ts";
import type { Notifications } from "../notifications/notifications.ts";
import { type ReportProgress, shortened } from "../../files/transfer/progress.ts";
import { type Hooked, type HookServices, withHooks } from "../commands/hooks.ts";
import type { Settings } from "../../../shared/schemas/settings.ts";
import type { CurrentEntry, Job } from "./job.ts";

/** Most paths in a record of what is left out, and most of their characters together. */
const maxKept = 10;
const maxKeptLength = 4_000;

/** The services that jobs use. */
export interface JobServices extends HookServices {
  store: Store;
  users: Users;
  apiTokens: ApiTokens;
  gate: Gate;
  transferWorker: TransferWorker;
  listingWorker: ListingWorker;
  contentWorker: ContentWorker;
  archives: Archives;
  trash: Trash;
  observers: EntryObservers;
  notifications: Notifications;
  /** Threads that wait for slow disks; null in these threads themselves. */
  slowDisks: SlowDisks | null;
  /** Tells whether the served folder is there. */
  rootWatch: { stateNow(): Promise<string> };
}

/** One run of a job, and the services that it uses. */
export interface JobContext {
  services: JobServices;
  job: Job;
  user: SignedIn["user"];
  settings: Settings;
  /** Of its user, as of now. */
  access: Access;
  /** Aborted when the job is to pause or to end. */
  signal: AbortSignal;
}

/** The same for one entry. */
export interface EntryContext extends JobContext {
  current: CurrentEntry;
  /** Records the progress of the entry before it continues. */
  save(change: Partial<CurrentEntry>): Promise<void>;
  /** Takes the progress of a copy. */
  report(progress: Job["progress"]): void;
}

/** Runs an operation between the commands that are hooked to its event. */
export function hookedBy<T>(
  { services, job, user, settings }: JobContext,
  { event, ...about }: Hooked<T>,
  operation: () => Promise<T>,
): Promise<T> {
  const subject = { ...about, address: job.address, signedIn: { user, settings } };
  return withHooks(services, event, subject, operation);
}

/** Stores the progress of the entry of a job, and its complete copy before that gets its name. */
export function reportTo({ save, report }: EntryContext): ReportProgress {
  return async (update) => {
    if ("progress" in update) report(update.progress);
    else if ("leftOut" in update) {
      await save({ leftOut: shortened(update.leftOut, maxKept, maxKeptLength) });
    } else if ("committing" in update) await save({ copy: update.committing });
  };
}

/** Records what a job did to an entry in the activity log, besides what ends in hooks. */
export function recordActivity(
  { services, access, job, user, settings }: JobContext,
  action: AuditAction,
  path: EntryPath,
): void {
  const by = { user: { id: user.id, name: user.username }, address: job.address };
  services.audit.note({ action, ...by, path: serverPath(access, path) }, settings.audit.level);
}
