import type { RouteConfig } from "fresh";
import { filesByDav } from "../../lib/server/http/dav/files_by_dav.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/dav/*?" };

/** The files by WebDAV. */
export const handler = filesByDav;
