import type { RouteConfig } from "fresh";
import { filesByClients } from "../../../lib/server/http/dav/files_by_dav.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/remote.php/webdav/*?" };

/** The files by WebDAV, where clients of ownCloud look for them. */
export const handler = filesByClients;
