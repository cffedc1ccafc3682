import type { Entry, Resource, SharedNeighbours, Sorting } from "../../shared/api_types.ts";
import type { Access } from "../access/access.ts";
import {
  describe,
  type DescribeOptions,
  type Helpers,
  resourceOf,
} from "../files/listing/describe.ts";
import { DomainError } from "../../shared/errors.ts";
import { type EntryPath, nameOf, parentOf, ROOT } from "../../shared/path.ts";

/** Entries of a folder that are read at a time. */
const step = 100;

/** Options of {@linkcode neighboursOf}. */
export interface NeighbourOptions extends Pick<DescribeOptions, "signal" | "reserve"> {
  sorting: Sorting;
}

/**
 * Finds the files before and after a file of a share, in the order of its folder. Links that lead
 * nowhere are passed over; beyond a whole window of them there is no neighbour.
 *
 * @param access of the visitor
 * @returns null for a file that is shared alone, or whose folder is denied
 * @throws DomainError `not_found`, `busy`
 */
export async function neighboursOf(
  access: Access,
  helpers: Helpers,
  file: EntryPath,
  options: NeighbourOptions,
): Promise<SharedNeighbours | null> {
  if (file === ROOT) return null;
  try {
    return await find(access, helpers, file, options);
  } catch (error) {
    // A rule may allow the file alone.
    if (error instanceof DomainError && error.code === "forbidden") return null;
    throw error;
  }
}

async function find(
  access: Access,
  helpers: Helpers,
  file: EntryPath,
  options: NeighbourOptions,
): Promise<SharedNeighbours | null> {
  const read = async (window: Pick<DescribeOptions, "around" | "offset">) =>
    await resourceOf(
      await describe(access, helpers, parentOf(file), { ...options, ...window, limit: step }),
    );
  const here = await read({ around: nameOf(file) });
  const { items = [], offset = 0, numDirs = 0, numFiles = 0 } = here;
  const index = items.findIndex(({ path }) => path === file);
  if (index === -1) return null;
  const earlier = offset > numDirs ? () => read({ offset: Math.max(0, offset - step) }) : null;
  const end = offset + items.length;
  const later = end < numDirs + numFiles ? () => read({ offset: end }) : null;
  return {
    previous: await nearest(items.slice(0, index).reverse(), earlier, (more) => more.reverse()),
    next: await nearest(items.slice(index + 1), later, (more) => more),
    place: offset + index - numDirs + 1,
    count: numFiles,
  };
}

/** The first file of some entries, else of those in the next window. */
async function nearest(
  entries: readonly Entry[],
  readMore: (() => Promise<Resource>) | null,
  inOrder: (more: Entry[]) => Entry[],
): Promise<string | null> {
  const found = entries.find(isShown);
  if (found) return found.path;
  if (!readMore) return null;
  const { items = [] } = await readMore();
  return inOrder(items).find(isShown)?.path ?? null;
}

function isShown({ isDir, type }: Entry): boolean {
  return !isDir && type !== "invalid_link";
}
