/** A listing before a server, and what tests of it share. */
import { type EntryPath, parsePath } from "../../../../../lib/shared/path.ts";
import { Listing } from "../../../../../lib/client/files_page/listing/listing.ts";
import { folderOf, speakTo, type Spoken } from "../../support.ts";

/** The path of an entry. */
export const at = (text: string): EntryPath => parsePath(text).path;

/** A server with one folder, whose entries the test may change, and a listing that shows it. */
export function shown(names: string[]): Spoken & { listing: Listing; names: string[] } {
  const state = { names };
  const spoken = speakTo(({ query }) => Response.json(folderOf(state.names, query)));
  const initial = { path: "/", resource: folderOf(names), failure: null };
  return Object.assign(state, spoken, { listing: new Listing({ api: spoken.api, initial }) });
}

/** The windows of rows that the server was asked for: `0+50`. */
export function windowsOf({ heard }: Spoken): string[] {
  return heard.map(({ query }) => `${query.get("offset")}+${query.get("limit")}`);
}
