import { childOf, type EntryPath, nameOf, parentOf } from "../../shared/path.ts";
import type { ActionsOptions } from "./actions.ts";
import { cleanName } from "./names.ts";
import { reasonOf } from "../api/reasons.ts";
import { failure, type Result, success } from "../api/result.ts";
import { showNames } from "./show_names.ts";

/** Asks for a name, makes the folder, shows and selects it. */
export function newFolder(options: ActionsOptions): Promise<void> {
  return create(options, "newDir", (at) => makeFolder(options, at));
}

/** Asks for a name, makes an empty file, shows and selects it. */
export function newFile(options: ActionsOptions): Promise<void> {
  return create(options, "newFile", (at) => options.api.makeFile(at));
}

/** The server answers alike whether it made a folder or found it; here the two differ. */
export async function makeFolder(
  { api, listing }: Pick<ActionsOptions, "api" | "listing">,
  at: EntryPath,
): Promise<Result<void>> {
  const known = listing.path.peek() === parentOf(at) ? listing.allByName() : null;
  const there = known ? success(known.has(nameOf(at))) : await api.exists(at);
  if (there.ok && there.value) return failure(409, "exists", `"${at}" exists already`);
  return await api.makeFolder(at);
}

async function create(
  options: ActionsOptions,
  kind: "newDir" | "newFile",
  make: (at: EntryPath) => Promise<Result<void>>,
): Promise<void> {
  const { listing, prompts, toasts, t } = options;
  const folder = listing.path.peek();
  const isDir = kind === "newDir";
  const taken = (name: string) => listing.rows.peek().indexOf(name) >= 0;
  let typed = await prompts.open(kind, { taken, isDir, initial: "" });
  while (typed !== null) {
    const name = cleanName(typed);
    const made = await make(childOf(folder, name));
    if (made.ok) return await showNames(listing, folder, [name]);
    const reason = reasonOf(t, made);
    const key = isDir ? "failures.newFolder" : "failures.newFile";
    if (!isAboutName(made.code)) return toasts.error(t(key, { name, reason }));
    // Only another name helps: what was typed is not lost.
    typed = await prompts.open(kind, { taken, isDir, initial: name, complaint: reason });
  }
}

/** Whether another name would be taken. */
export function isAboutName(code: string): boolean {
  return code === "exists" || code === "is_folder" || code === "invalid_name";
}
