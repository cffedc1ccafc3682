import type { RootAccess } from "../core/root_access.ts";
import { type EntryPath, nameOf, parentOf, parsePath } from "../../../shared/path.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import type { Listing } from "../../files_page/listing/listing.ts";
import { type Result, success } from "../../../shared/result.ts";

/** The entries that an action works on, as they were when it began. */
export interface Target {
  /** Their folder; of those found by a search one that they are all below. */
  readonly folder: EntryPath;
  /** Their number. */
  readonly size: number;
  /** The entries whose rows are loaded. */
  known(): Entry[];
  /**
   * The names of all; those not loaded are read now. Of those further below the folder the path
   * from it on: "photos/sea.jpg".
   */
  names(): Promise<Result<string[]>>;
}

/** Whether none of the entries is kept from being changed by where it is. */
export function canChangeAll(rootAccess: RootAccess, target: Target): boolean {
  return target.known().every(({ path }) => rootAccess.canChange(parsePath(path).path));
}

/** The selected entries; the file itself when one is open. */
export function targetOf(listing: Listing): Target {
  const folder = listing.path.peek();
  const resource = listing.resource.peek();
  if (resource?.isDir === false) {
    const names = () => Promise.resolve(success([nameOf(folder)]));
    return { folder: parentOf(folder), size: 1, known: () => [resource], names };
  }
  const rows = listing.rows.peek();
  const selected = new Set(listing.selection.snapshot().names);
  return {
    folder,
    size: listing.selection.now.peek().size,
    known: () => rows.withNames(selected),
    names: listing.holdSelected(),
  };
}
