import { childOf, type EntryPath, nameOf } from "../access/path.ts";
import type { ActionsOptions } from "./actions.ts";
import { reasonOf } from "./reasons.ts";
import { failure, type Result, success } from "./result.ts";
import { readTarget, type Target } from "./target.ts";

/** Longer addresses are cut off or refused on the way, or by the server. */
const MAX_ADDRESS = 16_000;

/** What is to be downloaded. */
interface Wanted {
  /** A file, or the folder to make an archive of. */
  at: EntryPath;
  /** The entries of the folder that go into the archive; all of them when left out. */
  names?: string[];
  /** The kind of archive; left out for a file. */
  algo?: string;
}

/** Downloads the selected file; asks for the kind of archive first for a folder, or several. */
export async function downloadSelection(options: ActionsOptions): Promise<void> {
  const { listing, toasts, t } = options;
  const target = await readTarget(listing);
  if (!target.ok) return toasts.error(t("failures.download", { reason: reasonOf(t, target) }));
  const [only] = target.value.names;
  if (target.value.names.length === 1 && only !== undefined && isFile(options, only)) {
    return await download(options, { at: childOf(target.value.folder, only) });
  }
  await downloadArchive(options, target.value);
}

/** Asks for the kind of archive, then downloads the whole folder, whatever is selected. */
export function downloadFolder(options: ActionsOptions): Promise<void> {
  return downloadArchive(options, { folder: options.listing.path.peek(), names: [] });
}

async function downloadArchive(options: ActionsOptions, target: Target): Promise<void> {
  const { folder, names } = target;
  const { prompts, listing } = options;
  const [only] = names;
  const whole = names.length === 0 || names.length === listing.rows.peek().total;
  const at = names.length === 1 && only !== undefined ? childOf(folder, only) : folder;
  const single = whole || at !== folder;
  const asks = single ? { count: 1, name: nameOf(at) } : { count: names.length };
  const algo = await prompts.open("download", asks);
  if (algo === null) return;
  await download(options, single ? { at, algo } : { at, names, algo });
}

async function download(options: ActionsOptions, wanted: Wanted): Promise<void> {
  const { toasts, save, t } = options;
  const address = await addressOf(options, wanted);
  if (address.ok) return save(address.value);
  toasts.error(t("failures.download", { reason: reasonOf(t, address) }));
}

/**
 * Where it can be had. The cookie opens it, in most browsers; where it is blocked or has gone, a
 * ticket in the address does.
 */
async function addressOf(
  { api }: ActionsOptions,
  { at, names, algo }: Wanted,
): Promise<Result<string>> {
  const address = api.rawAddress(at, { names, algo });
  if (address.length > MAX_ADDRESS) {
    return failure(0, "too_large", "Too many entries for one download");
  }
  const tried = await api.tryDownload(address);
  if (tried.ok) return success(address);
  if (tried.status !== 401) return tried;
  const ticket = await api.ticket(at);
  return ticket.ok ? success(api.rawAddress(at, { names, algo, ticket: ticket.value })) : ticket;
}

/** Whether a name is that of a file, as far as it is known. */
function isFile({ listing }: ActionsOptions, name: string): boolean {
  if (listing.resource.peek()?.isDir === false) return true;
  const rows = listing.rows.peek();
  return rows.at(rows.indexOf(name))?.isDir === false;
}
