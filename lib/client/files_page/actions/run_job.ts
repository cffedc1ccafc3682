import { delay } from "../../../shared/delay.ts";
import { childOf, type EntryPath, nameOf, parentOf, parsePath } from "../../../shared/path.ts";
import { type Failure, failure, type FailureCode, type Result } from "../../../shared/result.ts";
import type { AskedAction, JobInfo, LeftOutInfo } from "../../../shared/schemas/job.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { when } from "../../base/core/when.ts";
import { isOver, type Tasks } from "../../base/files/tasks.ts";
import type { ActionsOptions } from "./actions_options.ts";
import { type AskedEntry, JobsApi } from "../../base/api/jobs_api.ts";

/** The longest interval at which a paused job is looked at, in milliseconds. */
const PAUSED_MS = 10_000;

/** Has the server deal with entries, and shows how far it is until it has. */
export async function runJob(
  options: ActionsOptions,
  action: AskedAction,
  entries: readonly AskedEntry[],
): Promise<Result<JobInfo>> {
  const jobs = new JobsApi(options.api.calls);
  const begun = await jobs.begin(action, entries);
  const isTooLong = !begun.ok && begun.code === "body_too_large";
  return isTooLong ? { ...begun, code: "too_much" } : await untilOver(options, jobs, begun);
}

/**
 * Undoes jobs, the last first, and tells what came of it.
 */
export async function undoJobs(
  options: ActionsOptions,
  ids: readonly string[],
): Promise<void> {
  const { api, listing, navigation, toasts, t } = options;
  const jobs = new JobsApi(api.calls);
  const shown = listing.path.peek();
  let former: EntryPath | null = null;
  let undone = 0;
  const reasons = new Set<string>();
  const note = (why: Failure) => reasons.add(isGone(why) ? t("history.changed") : reasonOf(t, why));
  for (const id of ids.toReversed()) {
    const answer = await untilOver(options, jobs, await jobs.undo(id));
    if (!answer.ok) {
      note(answer);
      continue;
    }
    const { done, failed, failures } = answer.value;
    undone += done - failed;
    for (const { code, message } of failures) note(failure(0, code as FailureCode, message));
    former ??= formerPlace(answer.value, shown);
  }
  if (undone > 0) toasts.success(t("toasts.undone", { count: undone }));
  for (const reason of reasons) toasts.error(t("failures.undo", { reason }));
  if (former !== null && listing.path.peek() === shown) {
    const there = await api.exists(shown);
    if (there.ok && !there.value && listing.path.peek() === shown) {
      const folder = listing.resource.peek()?.isDir ?? true;
      return navigation.go(former, { folder, replace: true });
    }
  }
  await listing.reload();
}

/** Where the entry on screen is again, if it is the one that a job had moved. */
function formerPlace(
  { action, total, failed, name, from, to }: JobInfo,
  shown: EntryPath,
): EntryPath | null {
  const mayBe = action === "move" && total === 1 && failed === 0 && to === parentOf(shown);
  return mayBe ? childOf(parsePath(from).path, name) : null;
}

/** Whether the entry to restore is gone, or was replaced. */
function isGone({ code }: Failure): boolean {
  return code === "precondition_failed" || code === "not_found";
}

/** Why entries could not be dealt with, by their names. */
export function failuresOf({ failures }: JobInfo): Map<string, Failure> {
  const all = failures.filter(({ leftOut }) => !leftOut);
  return new Map(all.map(({ path, code, message }) => {
    return [nameOf(parsePath(path).path), failure(0, code as FailureCode, message)];
  }));
}

/** What was left out of folders, all else of which was dealt with. */
export function leftOutOf({ failures }: JobInfo): LeftOutInfo[] {
  return failures.flatMap(({ leftOut }) => leftOut ?? []);
}

/** Follows a job to its end; a lost connection or session is waited for. */
async function untilOver(
  { api, tasks }: ActionsOptions,
  jobs: JobsApi,
  first: Result<JobInfo>,
): Promise<Result<JobInfo>> {
  let answer = first;
  if (!answer.ok) return answer;
  const { id } = answer.value;
  while (!answer.ok || !isOver(answer.value)) {
    if (answer.ok) {
      tasks.follow(answer.value);
      if (answer.value.state === "paused") await untilResumed(tasks, id);
    } else if (!await api.recover(answer)) break;
    answer = await jobs.get(id);
  }
  tasks.remove(id);
  return answer;
}

/** Waits until a paused job is resumed here, or may have been elsewhere. */
async function untilResumed({ shown }: Tasks, id: string): Promise<void> {
  const over = new AbortController();
  const isResumed = (jobs: readonly JobInfo[]) =>
    !jobs.some((job) => job.id === id && job.state === "paused");
  await Promise.race([delay(PAUSED_MS, over.signal), when(shown, isResumed, over.signal)]);
  over.abort();
}
