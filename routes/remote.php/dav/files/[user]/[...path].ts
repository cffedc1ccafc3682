import type { RouteConfig } from "fresh";
import { filesByClients } from "../../../../../lib/server/http/dav/files_by_dav.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/remote.php/dav/files/:user/*?" };

/** A user's own files by WebDAV, where clients of Nextcloud look for them. */
export const handler = filesByClients;
