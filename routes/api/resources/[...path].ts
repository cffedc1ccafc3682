import type { RouteConfig } from "fresh";
import { calls } from "../../../lib/server/http/calls.ts";
import { pathRoute } from "../../../lib/server/http/request/request_path.ts";
import { createEntry } from "./(_calls)/create.ts";
import { describeEntry } from "./(_calls)/describe.ts";
import { listTree } from "./(_calls)/list_tree.ts";
import { removeEntry } from "./(_calls)/remove.ts";
import { saveFile } from "./(_calls)/save.ts";
import { transferEntry } from "./(_calls)/transfer.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = {
  routeOverride: pathRoute("/api/resources/*?", "/api/resources/recursive"),
};

/** Entries: described, made, written, copied, moved and removed. */
export const handler = calls({
  GET: describeEntry,
  POST: createEntry,
  PUT: saveFile,
  PATCH: transferEntry,
  DELETE: removeEntry,
}, { "/api/resources/recursive/{path}": { GET: listTree } });
