import type { RouteConfig } from "fresh";
import { versionsByDav } from "../../../../../lib/server/http/dav/versions_by_dav.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/remote.php/dav/versions/:user/*?" };

/** The previous versions of a user's files, where clients of Nextcloud look for them. */
export const handler = versionsByDav;
