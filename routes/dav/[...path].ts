import type { RouteConfig } from "fresh";
import {
  deleteEntry,
  makeCollection,
  putFile,
  sendEntry,
} from "../../lib/server/http/dav/dav_files.ts";
import { davMethods } from "../../lib/server/http/dav/dav_methods.ts";
import { lockEntry, unlockEntry } from "../../lib/server/http/dav/dav_locks.ts";
import { changeProperties, listProperties } from "../../lib/server/http/dav/dav_properties.ts";
import { transferEntry } from "../../lib/server/http/dav/dav_transfers.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/dav/*?" };

/** The files by WebDAV (RFC 4918). */
export const handler = davMethods({
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
