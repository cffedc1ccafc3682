import { childOf, type EntryPath, nameOf, parentOf } from "../../../shared/path.ts";
import type { DocumentKind } from "../../../shared/document_kinds.ts";
import { lazy } from "../../base/core/lazy.ts";
import type { ActionsOptions } from "./actions_options.ts";
import { cleanName } from "../../base/core/names.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { failure, type Result, success } from "../../../shared/result.ts";
import { pathIn, showNames } from "../../base/files/action_helpers.ts";
import { failuresOf, runJob } from "./run_job.ts";
import type { Target } from "../../base/files/target.ts";

/** Asks for a name, makes the folder, shows and selects it. */
export async function newFolder(options: ActionsOptions): Promise<void> {
  await create(options, "newDir", (at) => makeFolder(options, at));
}

/** Asks for a name, makes an empty file, and opens it in the editor if it is a text. */
export async function newFile(options: ActionsOptions): Promise<void> {
  const { api, listing, navigation } = options;
  const made = await create(options, "newFile", (at) => api.makeFile(at));
  if (made === null) return;
  const answer = await api.resource(made, { offset: 0, limit: 1 });
  const isText = answer.ok && answer.value.type === "text";
  // Meanwhile the user may have gone elsewhere.
  if (isText && listing.path.peek() === parentOf(made)) navigation.go(made, { folder: false });
}

const blanks = lazy(() => import("./blank_documents.ts"));

/** Asks for a name, makes an empty document, and leaves for its page in the office server. */
export async function newDocument(options: ActionsOptions, first: DocumentKind): Promise<void> {
  const { api, listing, navigation, prompts, toasts, t } = options;
  const folder = listing.path.peek();
  const taken = (name: string) => listing.rows.peek().indexOf(name) >= 0;
  let answer = await prompts.open("newDocument", { taken, kind: first });
  while (answer) {
    const { name, stem, kind, format } = answer;
    const code = await blanks.load();
    if (!code) return void toasts.error(t("errors.offline"));
    const at = childOf(folder, name);
    const made = await api.makeFile(at, code.blankDocument(kind, format));
    if (made.ok) {
      await showNames(listing, folder, [name]);
      // Unsent uploads ask first whether the page may be left.
      return location.assign(navigation.href(at, false, undefined, "office"));
    }
    const reason = reasonOf(t, made);
    if (!isAboutName(made.code)) {
      return void toasts.error(t("failures.newFile", { name, reason }));
    }
    answer = await prompts.open("newDocument", { taken, kind, initial: stem, complaint: reason });
  }
}

/** The server's answer does not tell whether the folder existed, so check first. */
async function makeFolder(
  { api, listing }: Pick<ActionsOptions, "api" | "listing">,
  at: EntryPath,
): Promise<Result<void>> {
  const known = listing.path.peek() === parentOf(at) ? listing.allByName() : null;
  const there = known ? success(known.has(nameOf(at))) : await api.exists(at);
  if (there.ok && there.value) return failure(409, "exists", `"${at}" exists already`);
  return await api.makeFolder(at);
}

/** @returns where it is; null when nothing was made */
async function create(
  options: ActionsOptions,
  kind: "newDir" | "newFile",
  make: (at: EntryPath) => Promise<Result<void>>,
): Promise<EntryPath | null> {
  const { listing, prompts, toasts, t } = options;
  const folder = listing.path.peek();
  const isDir = kind === "newDir";
  const taken = (name: string) => listing.rows.peek().indexOf(name) >= 0;
  let typed = await prompts.open(kind, { taken, isDir, initial: "" });
  while (typed !== null) {
    const name = cleanName(typed);
    const made = await make(childOf(folder, name));
    if (made.ok) {
      await showNames(listing, folder, [name]);
      return childOf(folder, name);
    }
    const reason = reasonOf(t, made);
    const key = isDir ? "failures.newFolder" : "failures.newFile";
    if (!isAboutName(made.code)) {
      toasts.error(t(key, { name, reason }));
      return null;
    }
    // Keep the prompt open, as only another name helps.
    typed = await prompts.open(kind, { taken, isDir, initial: name, complaint: reason });
  }
  return null;
}

/** Whether another name would be taken. */
function isAboutName(code: string): boolean {
  return code === "exists" || code === "is_folder" || code === "invalid_name";
}

/** Asks for a new name of one entry, and renames it. */
export async function renameEntry(options: ActionsOptions, target: Target): Promise<void> {
  const { listing, navigation, prompts, tell, toasts, t } = options;
  const names = await target.names();
  if (!names.ok) return void toasts.error(reasonOf(t, names));
  const [named] = names.value;
  if (named === undefined) return;
  // In a list of many folders its name is a path.
  const place = pathIn(target.folder, named);
  const [folder, former] = [parentOf(place), nameOf(place)];
  const isDir = target.known()[0]?.isDir === true;
  const taken = (name: string) =>
    listing.path.peek() === folder && name !== former && listing.rows.peek().indexOf(name) >= 0;

  let typed = await prompts.open("rename", { taken, isDir, initial: former });
  while (typed !== null) {
    const name = cleanName(typed);
    if (name === former) return;
    const from = childOf(folder, former);
    const destination = childOf(folder, name);
    const job = await runJob(options, "move", [{ path: from, destination }]);
    if (job.ok && job.value.state === "cancelled") {
      return tell(t("toasts.stopped", { done: 0, total: 1 }), []);
    }
    const renamed = job.ok ? failuresOf(job.value).get(former) ?? job : job;
    if (renamed.ok) {
      tell(t("toasts.renamed", { name }), [renamed.value.id]);
      if (listing.path.peek() === from) {
        return navigation.go(destination, { folder: false, replace: true });
      }
      return await showNames(listing, folder, [name]);
    }
    const reason = reasonOf(t, renamed);
    if (!isAboutName(renamed.code)) {
      toasts.error(t("failures.rename", { name: former, reason }));
      if (renamed.code === "not_found" && listing.path.peek() === folder) await listing.reload();
      return;
    }
    typed = await prompts.open("rename", {
      taken,
      isDir,
      initial: name,
      former,
      complaint: reason,
    });
  }
}
