import type { EntryPath } from "../../../shared/path.ts";
import type { AuditAction } from "../../../shared/schemas/choices/audit_choices.ts";
import type { Access } from "../../core/access/access.ts";
import { serverPath } from "../audit/server_path.ts";
import type { SignedIn } from "../accounts/auth/session.ts";
import type { OpenCubby } from "../../boot/cubby/cubby.ts";
import { type ReportProgress, shortened } from "../../files/transfer/progress.ts";
import { type Hooked, withHooks } from "../commands/hooks.ts";
import type { Settings } from "../settings/settings.ts";
import type { CurrentEntry, Job } from "./job.ts";

/** Most paths in a record of what is left out, and most of their characters together. */
const maxKept = 10;
const maxKeptLength = 4_000;

/** The dependencies of a job. */
export interface JobContext {
  cubby: OpenCubby;
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
  /** Notes how far the entry is, before it goes on. */
  save(change: Partial<CurrentEntry>): Promise<void>;
  /** Takes the progress of a copy. */
  report(progress: Job["progress"]): void;
}

/** Runs an operation between the commands that are hooked to its event. */
export function hookedBy<T>(
  { cubby, job, user, settings }: JobContext,
  { event, ...about }: Hooked<T>,
  operation: () => Promise<T>,
): Promise<T> {
  const subject = { ...about, address: job.address, signedIn: { user, settings } };
  return withHooks(cubby, event, subject, operation);
}

/** Stores the progress of the entry of a job, and its complete copy before that gets its name. */
export function reportTo({ save, report }: EntryContext): ReportProgress {
  return async (update) => {
    if ("progress" in update) report(update.progress);
    else if ("leftOut" in update) {
      await save({ leftOut: shortened(update.leftOut, maxKept, maxKeptLength) });
    } else await save({ copy: update.committing });
  };
}

/** Records what a job did to an entry in the activity log, besides what ends in hooks. */
export function recordActivity(
  { cubby, access, job, user, settings }: JobContext,
  action: AuditAction,
  path: EntryPath,
): void {
  const by = { user: { id: user.id, name: user.username }, address: job.address };
  cubby.audit.note({ action, ...by, path: serverPath(access, path) }, settings.audit.level);
}
