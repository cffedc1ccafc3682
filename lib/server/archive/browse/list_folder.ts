import { isoOf } from "../../../shared/time.ts";
import type { ArchiveEntry, ArchiveFolder } from "../../../shared/schemas/archive.ts";
import { childrenOf } from "../../../shared/path.ts";
import { extensionOf, typeOf } from "../../files/content/types.ts";
import { sortByName, sortEntries } from "../../files/listing/sort.ts";
import type { ArchiveIndex, IndexedEntry, IndexedFolder } from "./archive_index.ts";
import type { ListOrder } from "./order.ts";

/** The last order of each folder, as rows are asked for in parts. */
const sorted = new WeakMap<IndexedFolder, { by: string; count: number; entries: IndexedEntry[] }>();

/**
 * Some rows of a folder in an archive.
 *
 * @throws {DomainError} `not_found`
 */
export function listFolder(
  index: ArchiveIndex,
  { inside, sorting, offset, limit }: Pick<ListOrder, "inside" | "sorting" | "offset" | "limit">,
): ArchiveFolder {
  const folder = index.folder(inside);
  const entries = inOrder(folder, sorting);
  const pathOf = childrenOf(inside);
  const numDirs = entries.reduce((count, { kind }) => count + (kind === "folder" ? 1 : 0), 0);
  return {
    path: inside,
    numDirs,
    numFiles: entries.length - numDirs,
    offset,
    sorting,
    size: folder.size,
    total: index.count,
    refused: { count: index.refusedCount, entries: index.refused },
    items: entries.slice(offset, offset + limit).map((entry) => described(entry, pathOf)),
  };
}

function inOrder(folder: IndexedFolder, sorting: ListOrder["sorting"]): IndexedEntry[] {
  const by = `${sorting.by} ${sorting.asc}`;
  const known = sorted.get(folder);
  if (known?.by === by) return known.entries;
  const all = Array.from(folder.children.values(), (entry) => {
    return { entry, name: entry.name, isFolder: entry.kind === "folder" };
  });
  const numberOf = ({ entry: { size, modified } }: typeof all[number]) =>
    sorting.by === "size" ? size : modified ?? 0;
  const entries = sortEntries(sortByName(all), sorting, numberOf).map(({ entry }) => entry);
  sorted.set(folder, { by, count: entries.length, entries });
  return entries;
}

function described(entry: IndexedEntry, pathOf: (name: string) => string): ArchiveEntry {
  const { name, kind, size, modified, isEncrypted } = entry;
  return {
    name,
    path: pathOf(name),
    kind,
    type: kind === "file" ? typeOf(name, size) : "blob",
    extension: kind === "file" ? extensionOf(name) : "",
    size,
    modified: modified === null || !isDate(modified) ? null : isoOf(modified),
    encrypted: isEncrypted,
  };
}

/** Whether a date can hold a time, which an archive may make up. */
function isDate(time: number): boolean {
  return !Number.isNaN(new Date(time).getTime());
}
