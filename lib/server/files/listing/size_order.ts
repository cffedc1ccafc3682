import type { FactsTable } from "./facts_table.ts";
import type { NameTable } from "./name_table.ts";

/** The known sizes of subfolders with everything below them, in bytes by name; goes to threads. */
export type FolderSizes = ReadonlyMap<string, number>;

/** The most subfolders of one folder whose sizes are kept: no more are waited for. */
export const maxSized = 20_000;

/** What the entries of a listing by size are ordered by. */
interface BySize {
  names: NameTable;
  facts: FactsTable;
  sizes: FolderSizes;
}

/** Folders of unknown size come last, in either direction. */
const last = (asc: boolean) => asc ? Number.MAX_VALUE : -1;

/** The sizes by which entries are ordered: of a folder that of everything below it. */
export function sizesOf(
  { names, facts, sizes }: BySize,
  folders: readonly number[],
  asc: boolean,
): (entry: number) => number {
  const known = new Float64Array(names.count).fill(NaN);
  for (const folder of folders) known[folder] = sizes.get(names.name(folder)) ?? last(asc);
  return (entry) => {
    const size = known[entry] as number;
    return Number.isNaN(size) ? facts.size(entry) : size;
  };
}

/** The part of an answer about the sizes of folders. */
export interface Sized {
  /** How many folders will have a size that is not known yet; links have none. */
  uncounted: number;
  /** Another one when the order may be another: a number of 32 bits. */
  sizesTag: number;
}

/** Tells what is known of the sizes of folders. */
export function sizedOf({ names, sizes }: BySize, folders: readonly number[]): Sized {
  let unknown = 0;
  let tag = 0;
  for (const folder of folders) {
    const size = sizes.get(names.name(folder));
    if (size === undefined && !names.isLink(folder)) unknown++;
    tag = Math.imul(tag ^ ((size ?? -1) % 0x7fff_ffff), 0x0100_0193);
  }
  const uncounted = Math.max(0, Math.min(unknown, maxSized - sizes.size));
  return { uncounted, sizesTag: tag >>> 0 };
}
