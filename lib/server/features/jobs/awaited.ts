import { placeIn } from "../../../shared/named_roots.ts";
import type { Job } from "./job.ts";
import type { JobServices } from "./job_context.ts";
import type { JobRecords } from "./job_records.ts";
import { isEnded } from "./job_states.ts";

/** From this duration on a job's user may have left the page, in milliseconds. */
export const longMs = 10_000;

/** A user who has not asked for so long is away, in milliseconds: pages ask every two seconds. */
const awayMs = 6_000;

/** Interval at which waiting is noted, in milliseconds. */
const recordMs = 1_500;

/** Notes that its user waits for the end of a job, once that has taken long. */
export async function recordWaiting(records: JobRecords, job: Job): Promise<void> {
  const now = Date.now();
  const isShort = now - job.began < longMs - awayMs;
  if (isShort || isEnded(job) || now - (job.seen ?? 0) < recordMs) return;
  await records.update(job.userId, job.id, (current) => {
    return isEnded(current) ? null : { seen: now };
  });
}

/** Notifies the user of a job that has taken long and ended unattended. */
export async function notifyOfEnd(
  { notifications, users }: Pick<JobServices, "notifications" | "users">,
  { userId, tokenId, state, action, began, ended, seen = 0, ...job }: Job,
): Promise<void> {
  const end = ended ?? Date.now();
  // A program follows its own jobs.
  const isAwaited = end - began < longMs || end - seen < awayMs || tokenId !== undefined;
  if (isAwaited || state !== "done") return;
  const place = placeIn(await users.acting(userId), job.to ?? job.from);
  const { name, total: count, failed, partial } = job;
  const kind = failed > 0 ? "job_failed" : "job_done";
  const facts = { kind, action, name, count, failed, ...partial && { partial } } as const;
  notifications.notify({ userId, ...facts, ...place && { place } });
}
