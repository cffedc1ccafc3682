import { childOf, type EntryPath, nameOf, parentOf } from "../../../shared/path.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { failure, type Result, success } from "../../../shared/result.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { pathIn, showNames } from "../../base/files/action_helpers.ts";
import type { Target } from "../../base/files/target.ts";
import type { ActionsOptions } from "./actions_options.ts";
import { type RenamedEntry, stepsOf } from "./rename_rules.ts";
import { failuresOf, runJob } from "./run_job.ts";

/** How many entries are read at a time. */
const WINDOW = 1_000;

/** Asks for new names of several entries, and renames all in one job, which is undone as one. */
export async function renameMany(options: ActionsOptions, target: Target): Promise<void> {
  const { listing, prompts, tell, toasts, t } = options;
  const { folder } = target;
  const found = await entriesOf(options, target);
  if (!found.ok) return void toasts.error(reasonOf(t, found));
  const entries = found.value;
  const isTaken = (path: EntryPath) =>
    listing.path.peek() === parentOf(path) && listing.rows.peek().indexOf(nameOf(path)) >= 0;
  const names = await prompts.open("renameMany", { entries, isTaken });
  if (names === null) return;
  const renamings = entries.map(({ path }, index) => {
    return { from: path, to: childOf(parentOf(path), names[index] ?? "") };
  });
  const steps = stepsOf(renamings).map(({ from, to }) => ({ path: from, destination: to }));
  const job = await runJob(options, "move", steps);
  if (!job.ok) return void toasts.error(reasonOf(t, job));
  const { id, done, failed } = job.value;
  const [refused] = failuresOf(job.value);
  if (done > failed) tell(t("toasts.renamedMany", { count: done - failed }), [id]);
  if (refused) {
    const [name, why] = refused;
    toasts.error(t("failures.rename", { name, reason: reasonOf(t, why) }));
    if (failed > 1) toasts.error(t("failures.more", { amount: failed - 1 }));
  }
  const isHere = renamings.every(({ to }) => parentOf(to) === folder);
  await showNames(listing, folder, isHere ? names : []);
}

/** The entries of a target in their order; those whose rows are not loaded are read. */
async function entriesOf(
  { api }: ActionsOptions,
  target: Target,
): Promise<Result<RenamedEntry[]>> {
  const names = await target.names();
  if (!names.ok) return names;
  const paths = names.value.map((name) => pathIn(target.folder, name));
  const known = new Map<string, Pick<Entry, "isDir" | "modified">>(
    target.known().map((entry) => [entry.path, entry]),
  );
  const folders = new Set(paths.filter((path) => !known.has(path)).map(parentOf));
  for (const folder of folders) {
    for (let offset = 0;; offset += WINDOW) {
      const answer = await api.resource(folder, { offset, limit: WINDOW });
      if (!answer.ok) return answer;
      const { items = [], numDirs = 0, numFiles = 0 } = answer.value;
      for (const entry of items) known.set(childOf(folder, entry.name), entry);
      if (items.length === 0 || offset + items.length >= numDirs + numFiles) break;
    }
  }
  const entries: RenamedEntry[] = [];
  for (const path of paths) {
    const entry = known.get(path);
    if (!entry) return failure(404, "not_found", `"${path}" is gone`);
    entries.push({ path, isDir: entry.isDir, modified: entry.modified });
  }
  return success(entries);
}
