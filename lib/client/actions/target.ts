import { type EntryPath, nameOf, parentOf } from "../../shared/path.ts";
import type { Entry } from "../../shared/api_types.ts";
import type { Listing } from "../listing/listing.ts";
import { type Result, success } from "../api/result.ts";

/** What an action works on, as it was when the action began: entries of one folder. */
export interface Target {
  /** Where they lie. */
  readonly folder: EntryPath;
  /** How many they are. */
  readonly size: number;
  /** Those whose rows are loaded. */
  known(): Entry[];
  /** The names of all; those not loaded are read now. */
  names(): Promise<Result<string[]>>;
}

/** What is selected now; the file itself where one is on screen by itself. */
export function targetOf(listing: Listing): Target {
  const folder = listing.path.peek();
  const resource = listing.resource.peek();
  if (resource?.isDir === false) {
    const names = () => Promise.resolve(success([nameOf(folder)]));
    return { folder: parentOf(folder), size: 1, known: () => [resource], names };
  }
  const rows = listing.rows.peek();
  const selected = new Set(listing.selection.parts().names);
  return {
    folder,
    size: listing.selection.now.peek().size,
    known: () => rows.withNames(selected),
    names: listing.holdSelected(),
  };
}
