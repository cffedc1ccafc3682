import type { Context } from "fresh";
import { deleteEntry, makeCollection, putFile, sendEntry } from "./dav_files.ts";
import { davMethods } from "./dav_methods.ts";
import { lockEntry, unlockEntry } from "./dav_locks.ts";
import { changeProperties, listProperties } from "./dav_properties.ts";
import { reportEntries, searchEntries } from "./dav_searches.ts";
import type { State } from "../define.ts";
import { transferEntry } from "./dav_transfers.ts";

const fileMethods = {
  GET: sendEntry,
  PUT: putFile,
  DELETE: deleteEntry,
  PROPFIND: listProperties,
  PROPPATCH: changeProperties,
  MKCOL: makeCollection,
  COPY: (ctx: Context<State>) => transferEntry(ctx, "copy"),
  MOVE: (ctx: Context<State>) => transferEntry(ctx, "move"),
  LOCK: lockEntry,
  UNLOCK: unlockEntry,
};

/** The methods of the files by WebDAV (RFC 4918). */
export const filesByDav = davMethods(fileMethods);

/** The same at the addresses of clients that sync, with theirs. */
export const filesByClients = davMethods({
  ...fileMethods,
  REPORT: reportEntries,
  SEARCH: searchEntries,
});

/** The methods at the address above the files of all users: phone apps search there. */
export const topByClients = davMethods({ SEARCH: searchEntries });
