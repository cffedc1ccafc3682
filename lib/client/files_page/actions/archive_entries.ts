import { stemLength } from "../../../shared/numbered_name.ts";
import { childOf, nameOf, parsePath } from "../../../shared/path.ts";
import type { JobInfo } from "../../../shared/schemas/job.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { namesFor, showNames } from "../../base/files/action_helpers.ts";
import type { ActionsOptions, ExtractChoice } from "./actions_options.ts";
import type { Failure } from "../../../shared/result.ts";
import { isOverQuota, roomAction } from "./free_room.ts";
import { leftOutText } from "./left_out.ts";
import { failuresOf, leftOutOf, runJob } from "./run_job.ts";
import type { Target } from "../../base/files/target.ts";

/** Asks for a name and a format, then makes an archive of entries beside them. */
export async function compressSelection(options: ActionsOptions, target: Target): Promise<void> {
  const { prompts, toasts, t } = options;
  const { folder } = target;
  const names = await namesFor(options, "compress", target);
  if (names === null) return;
  const [only = ""] = names;
  const isDir = target.known()[0]?.isDir === true;
  const name = names.length === 1
    ? only.slice(0, stemLength(only, isDir))
    : nameOf(folder) || t("prompts.archiveName");
  const answer = await prompts.open("compress", { name });
  if (answer === null) return;
  const { format } = answer;
  const destination = childOf(folder, answer.name);
  const entry = { path: folder, names, destination, format, rename: true };
  const run = async () => {
    const job = await runJob(options, "archive", [entry]);
    const [failure] = job.ok ? failuresOf(job.value).values() : [job];
    if (failure) {
      const text = t("failures.compress", { reason: reasonOf(t, failure) });
      toasts.error(text, await wayFor(options, failure, run));
    } else if (job.ok) {
      const leftOut = leftOutOf(job.value);
      if (leftOut.length > 0) toasts.error(leftOutText(options, "archive", leftOut));
      await showResult(options, target, job.value, "archived");
    }
  };
  await run();
}

/** Extracts one archive, or entries of it, to a new folder with its name. */
export async function extractArchive(
  options: ActionsOptions,
  target: Target,
  { names, asks }: ExtractChoice,
): Promise<void> {
  const { prompts, toasts, t } = options;
  const [name] = await namesFor(options, "download", target) ?? [];
  if (name === undefined) return;
  const path = childOf(target.folder, name);
  const to = asks
    ? await prompts.open("destination", {
      action: "extract",
      paths: [path],
      names: names?.map((inside) => nameOf(parsePath(inside).path)),
      start: target.folder,
      mayCreate: true,
    })
    : target.folder;
  if (to === null) return;
  const destination = childOf(to, name.slice(0, stemLength(name, false)));
  const entry = { path, destination, names, rename: true };
  const run = async () => {
    const job = await runJob(options, "extract", [entry]);
    const [failure] = job.ok ? failuresOf(job.value).values() : [job];
    if (failure) {
      const text = t("failures.extract", { name, reason: reasonOf(t, failure) });
      toasts.error(text, await wayFor(options, failure, run));
    } else if (job.ok) {
      const leftOut = leftOutOf(job.value);
      if (leftOut.length > 0) toasts.error(leftOutText(options, "extract", leftOut));
      await showResult(options, { folder: to }, job.value, "extracted");
    }
  };
  await run();
}

/** The remedy of a failure: there is one only where a quota was in the way. */
async function wayFor(options: ActionsOptions, failure: Failure, again: () => Promise<void>) {
  return isOverQuota(failure) ? await roomAction(options, () => void again()) : undefined;
}

async function showResult(
  { listing, tell, t }: ActionsOptions,
  { folder }: Pick<Target, "folder">,
  { id, arrived }: JobInfo,
  what: "archived" | "extracted",
): Promise<void> {
  const [name] = arrived;
  if (name === undefined) return;
  tell(t(`toasts.${what}`, { name }), [id]);
  await showNames(listing, folder, arrived);
}
