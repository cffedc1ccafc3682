import type { Entry, Resource } from "../../../shared/schemas/entry.ts";
import { keepLatest } from "../../core/concurrency/collect_garbage.ts";
import type { Access } from "../../core/access/access.ts";
import type { EntryHandle } from "../../core/access/file_handle.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { type EntryFacts, entryOf } from "./entries.ts";
import { entriesOf, JsonEntries, type SendPage } from "./json_entries.ts";
import {
  listFolder,
  type ListingHelper,
  type ListOptions,
  type NamesOf,
  type SentPart,
} from "./listing.ts";
import { describeWindow, type EntrySink } from "./describe_window.ts";
import { NameTable } from "./name_table.ts";
import { isSameEntry } from "../../core/disk/facts.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";
import { TextPages } from "./text_pages.ts";

/**
 * Describes a folder with a window of its entries.
 *
 * @throws {DomainError} `forbidden`, `not_found`
 */
export async function describeFolder(
  access: Access,
  entry: EntryHandle,
  options: ListOptions,
  pauses: Pauses,
  namesOf?: NamesOf,
): Promise<Resource> {
  const { facts, canModify } = folderFacts(access, entry, options);
  const items: Entry[] = [];
  const folder = access.folder(entry);
  const entryAt = entriesOf(folder.path, canModify);
  const sink: EntrySink = { add: (...found) => void items.push(entryAt(...found)) };
  const counts = await listFolder(folder, options, sink, pauses, namesOf);
  return { ...facts, items, ...counts, sorting: options.sorting };
}

/** The description of a folder without its entries, and whether its entries can be changed. */
function folderFacts(access: Access, entry: EntryHandle, { slashed }: ListOptions) {
  const lock = lockOf(access, entry.path);
  const canModify = access.may("modify") && !lock.readOnly;
  const facts = { ...entryOf(factsOf(entry), canModify), ...lock };
  return {
    facts: slashed ? { ...facts, path: facts.path.replace(/\/?$/, "/") } : facts,
    canModify,
  };
}

/** Whether a description says that nothing can be changed there; of what is shared none does. */
export function lockOf(access: Access, path: EntryPath): Pick<Resource, "readOnly"> {
  return access.viewer.base === undefined && access.isReadOnly(path) ? { readOnly: true } : {};
}

/** The facts that a handle has of its entry. */
export function factsOf(entry: EntryHandle, firstBytes?: Uint8Array): EntryFacts {
  const { name, path, info, isLink, isBroken } = entry;
  return { name, path, info, isLink, isBroken, firstBytes };
}

/**
 * The JSON of a folder's description as UTF-8 chunks, for folders of any size: entries are
 * serialized as they are described, so that few are in memory at a time.
 *
 * @param send takes chunks while later ones are written
 * @returns the chunks that were not sent
 * @throws {DomainError} `forbidden`, `not_found`
 */
export async function encodeFolder(
  access: Access,
  path: EntryPath,
  options: ListOptions,
  pauses: Pauses,
  namesOf?: NamesOf,
  helper?: ListingHelper,
  send?: SendPage,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const { facts, canModify } = folderFacts(access, access.stat(path), options);
  const { sorting } = options;
  const pages = new TextPages();
  const head = JSON.stringify({ ...facts, sorting });
  pages.add(`${head.slice(0, -1)},"items":[`);
  const items = new JsonEntries(pages, path, canModify, send);
  const folder = access.folder(path);
  const counts = await listFolder(folder, options, items, pauses, namesOf, helper);
  keepLatest("json", items);
  pages.add(`],${JSON.stringify(counts).slice(1)}`);
  return pages.end();
}

/**
 * The JSON of a part of a large folder, for the thread that lists it.
 *
 * @returns null if that is another folder now, or if entries have vanished from it
 * @throws {DomainError} `forbidden`, `not_found`
 */
export async function encodePart(
  access: Access,
  { path, entry, names, numbers, shared }: SentPart,
  pauses: Pauses,
): Promise<Uint8Array<ArrayBuffer>[] | null> {
  const folder = access.folder(path);
  using open = folder.open();
  if (!isSameEntry(open.facts(), entry)) return null;
  const canModify = access.may("modify") && !lockOf(access, path).readOnly;
  const pages = new TextPages();
  const items = new JsonEntries(pages, path, canModify);
  const source = { folder, open, names: NameTable.received(names), shared };
  const { numDirs, numFiles } = await describeWindow(source, numbers, null, items, pauses);
  keepLatest("json", items);
  return numDirs + numFiles === 0 ? pages.end() : null;
}
