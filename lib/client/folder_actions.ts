import { childOf, type EntryPath } from "../access/path.ts";
import type { ActionsOptions } from "./actions.ts";
import { cleanName } from "./names.ts";
import { reasonOf } from "./reasons.ts";
import { type Failure, failure, type Result, success } from "./result.ts";

/** How many entries are deleted at a time. */
const AT_ONCE = 4;

/** Longer addresses are cut off or refused on the way, or by the server. */
const MAX_ADDRESS = 16_000;

/** Asks for a name, makes the folder, shows and selects it. */
export async function newFolder(options: ActionsOptions): Promise<void> {
  const { listing, prompts, toasts, t } = options;
  const folder = listing.path.peek();
  const taken = (name: string) => listing.rows.peek().indexOf(name) >= 0;
  const typed = await prompts.open("newDir", { taken });
  if (typed === null) return;
  const name = cleanName(typed);
  const made = await makeFolder(options, folder, name);
  if (!made.ok) return toasts.error(t("failures.newFolder", { name, reason: reasonOf(t, made) }));
  if (listing.path.peek() !== folder) return;
  await listing.reload();
  listing.selection.name([name]);
  listing.cursor.put(listing.rows.peek().indexOf(name));
}

/** Asks, then deletes the selected entries; those that can't be deleted stay selected. */
export async function deleteSelection(options: ActionsOptions): Promise<void> {
  const { api, listing, prompts, toasts, t } = options;
  const { size } = listing.selection.now.peek();
  const folder = listing.path.peek();
  const [name] = listing.selection.parts().names;
  const asks = size === 1 ? { count: size, name } : { count: size };
  if (await prompts.open("delete", asks) === null) return;

  const names = await listing.selectedNames();
  if (!names.ok) return toasts.error(t("failures.delete", { reason: reasonOf(t, names) }));
  const failures = await removeAll(api, folder, names.value);
  const deleted = names.value.length - failures.size;
  if (deleted > 0) toasts.success(t("toasts.deleted", { count: deleted }));
  for (const text of explain(options, failures)) toasts.error(text);
  if (listing.path.peek() !== folder) return;
  listing.selection.name(failures.keys());
  await listing.reload();
}

/** Downloads what is selected, several entries as one archive; the folder when nothing is. */
export async function downloadSelection(options: ActionsOptions): Promise<void> {
  await download(options, await options.listing.selectedNames());
}

/** Downloads the whole folder, whatever is selected. */
export function downloadFolder(options: ActionsOptions): Promise<void> {
  return download(options, success([]));
}

async function download(options: ActionsOptions, names: Result<string[]>): Promise<void> {
  const { toasts, save, t } = options;
  const address = names.ok ? await downloadAddress(options, names.value) : names;
  if (address.ok) return save(address.value);
  toasts.error(t("failures.download", { reason: reasonOf(t, address) }));
}

/** The server answers alike whether it made a folder or found it; here the two differ. */
async function makeFolder(
  { api, listing }: ActionsOptions,
  folder: EntryPath,
  name: string,
): Promise<Result<void>> {
  const at = childOf(folder, name);
  const known = listing.path.peek() === folder ? listing.allNames() : null;
  const there = known ? success(known.has(name)) : await api.exists(at);
  if (there.ok && there.value) return failure(409, "exists", `"${at}" exists already`);
  return await api.makeFolder(at);
}

async function removeAll(
  api: ActionsOptions["api"],
  folder: EntryPath,
  names: readonly string[],
): Promise<Map<string, Failure>> {
  const failures = new Map<string, Failure>();
  const left = names.values();
  const removeSome = async () => {
    for (const name of left) {
      const answer = await api.remove(childOf(folder, name));
      if (!answer.ok && answer.status !== 404) failures.set(name, answer);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, removeSome));
  return failures;
}

/** One sentence for each kind of failure, however many entries met it. */
function explain({ t }: ActionsOptions, failures: ReadonlyMap<string, Failure>): string[] {
  const byReason = new Map<string, string[]>();
  for (const [name, why] of failures) {
    const reason = reasonOf(t, why);
    byReason.set(reason, [...byReason.get(reason) ?? [], name]);
  }
  return [...byReason].map(([reason, [name, ...others]]) =>
    others.length === 0
      ? t("failures.deleteOne", { name, reason })
      : t("failures.deleteMany", { count: others.length + 1, reason })
  );
}

/**
 * Where the selection can be had. The cookie opens it, in most browsers; where it is blocked or
 * has gone, a ticket in the address does.
 */
async function downloadAddress(
  { api, listing }: ActionsOptions,
  names: readonly string[],
): Promise<Result<string>> {
  const folder = listing.path.peek();
  const [only] = names;
  const whole = names.length === 0 || names.length === listing.rows.peek().total;
  const at = names.length === 1 && only !== undefined ? childOf(folder, only) : folder;
  const picked = names.length === 1 || whole ? undefined : [...names];
  const address = api.rawAddress(at, { names: picked });
  if (address.length > MAX_ADDRESS) {
    return failure(0, "too_large", "Too many entries for one download");
  }
  const tried = await api.tryDownload(address);
  if (tried.ok) return success(address);
  if (tried.status !== 401) return tried;
  const ticket = await api.ticket(at);
  return ticket.ok ? success(api.rawAddress(at, { names: picked, ticket: ticket.value })) : ticket;
}
