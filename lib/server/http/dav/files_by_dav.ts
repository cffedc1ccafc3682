import { deleteEntry, makeCollection, putFile, sendEntry } from "./dav_files.ts";
import { davMethods } from "./dav_methods.ts";
import { lockEntry, unlockEntry } from "./dav_locks.ts";
import { changeProperties, listProperties } from "./dav_properties.ts";
import { transferEntry } from "./dav_transfers.ts";

/** The methods of the files by WebDAV (RFC 4918), at each of their addresses. */
export const filesByDav = davMethods({
  GET: sendEntry,
  PUT: putFile,
  DELETE: deleteEntry,
  PROPFIND: listProperties,
  PROPPATCH: changeProperties,
  MKCOL: makeCollection,
  COPY: (ctx) => transferEntry(ctx, "copy"),
  MOVE: (ctx) => transferEntry(ctx, "move"),
  LOCK: lockEntry,
  UNLOCK: unlockEntry,
});
