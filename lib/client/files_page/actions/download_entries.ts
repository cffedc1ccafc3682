import { type EntryPath, nameOf } from "../../../shared/path.ts";
import type { ArchiveFormat } from "../../../shared/schemas/choices/choices.ts";
import type { ActionsOptions } from "./actions_options.ts";
import { nameList } from "../../base/api/api_path.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { type Failure, failure, type Result, success } from "../../../shared/result.ts";
import { savingByPage } from "./save_link.ts";
import type { Target } from "../../base/files/target.ts";
import { namesFor, pathIn } from "../../base/files/action_helpers.ts";

/** Many proxies refuse longer addresses; the ticket and the origin add to it. */
const MAX_ADDRESS = 6_000;

/** The server's limit of a form, less the overhead of its fields, in bytes of ASCII. */
const MAX_FORM = 4 * 1024 * 1024 - 1_000;

/** The parameters of a download. */
interface Wanted {
  /** A file, or the folder to archive. */
  at: EntryPath;
  /** The entries of the folder that go into the archive; all of them when left out. */
  names?: string[];
  /** The kind of archive; left out for a file. */
  algo?: ArchiveFormat;
}

/**
 * Downloads a file, or a folder or several entries as an archive.
 *
 * @param asks for the kind of archive, which is zip otherwise
 */
export async function downloadSelection(
  options: ActionsOptions,
  target: Target,
  asks = false,
): Promise<void> {
  const { folder, size } = target;
  const [first] = target.known();
  if (size === 1 && first?.type === "invalid_link") {
    return void options.toasts.error(`${first.name}: ${options.t("info.kinds.link")}`);
  }
  const names = await namesFor(options, "download", target);
  if (names === null) return;
  const [only] = names;
  if (names.length === 1 && only !== undefined && first?.isDir === false) {
    return await download(options, { at: pathIn(folder, only) });
  }
  await downloadArchive(options, folder, names, asks);
}

/** Downloads the whole folder, whatever is selected, as {@linkcode downloadSelection}. */
export function downloadFolder(options: ActionsOptions, asks = false): Promise<void> {
  return downloadArchive(options, options.listing.path.peek(), [], asks);
}

async function downloadArchive(
  options: ActionsOptions,
  folder: EntryPath,
  names: string[],
  asks: boolean,
): Promise<void> {
  const { prompts, listing } = options;
  const [only] = names;
  const whole = names.length === 0 ||
    folder === listing.path.peek() && names.length === listing.rows.peek().total &&
      names.every((name) => !name.includes("/"));
  const at = names.length === 1 && only !== undefined ? pathIn(folder, only) : folder;
  const single = whole || at !== folder;
  const input = single ? { count: 1, name: nameOf(at) } : { count: names.length };
  const algo = asks ? await prompts.open("download", input) : "zip";
  if (algo === null) return;
  await download(options, single ? { at, algo } : { at, names, algo });
}

async function download(options: ActionsOptions, wanted: Wanted): Promise<void> {
  const { api, saving = savingByPage } = options;
  const { at, names, algo } = wanted;
  const refused = (failure: Failure) => tell(options, failure);
  const address = api.rawAddress(at, { names, algo });
  if (names && address.length > MAX_ADDRESS) {
    const files = nameList(names);
    if (files.length > MAX_FORM) return refused(tooMuch);
    const ticket = await api.ticket(at);
    if (!ticket.ok) return refused(ticket);
    const to = api.rawAddress(at, { algo, ticket: ticket.value });
    return saving.byForm(to, { files }, refused);
  }
  const open = await openAddress(options, wanted, address);
  return open.ok ? saving.from(open.value) : refused(open);
}

/**
 * The address of a download: with the cookie alone, or with a ticket where the cookie is blocked or
 * has expired.
 */
async function openAddress(
  { api }: ActionsOptions,
  { at, names, algo }: Wanted,
  address: string,
): Promise<Result<string>> {
  const tried = await api.tryDownload(address);
  if (tried.ok) return success(address);
  if (tried.status !== 401) return tried;
  const ticket = await api.ticket(at);
  return ticket.ok ? success(api.rawAddress(at, { names, algo, ticket: ticket.value })) : ticket;
}

const tooMuch = failure(0, "too_large", "Too many entries for one download");

function tell({ toasts, t }: ActionsOptions, failure: Failure): void {
  toasts.error(t("failures.download", { reason: reasonOf(t, failure) }));
}
