import type { Access } from "../access/access.ts";
import type { SignedIn } from "../auth/session.ts";
import type { OpenCubby } from "../cubby.ts";
import { type Hooked, withHooks } from "../hooks/hooks.ts";
import type { CurrentEntry, Job } from "./job.ts";

/** What a job works with. */
export interface JobContext {
  cubby: OpenCubby;
  job: Job;
  user: SignedIn["user"];
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
  { cubby, job, user }: JobContext,
  { event, ...about }: Hooked<T>,
  operation: () => Promise<T>,
): Promise<T> {
  const subject = { ...about, address: job.address, signedIn: { user } };
  return withHooks(cubby, event, subject, operation);
}
