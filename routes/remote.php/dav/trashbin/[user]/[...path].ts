import type { RouteConfig } from "fresh";
import { trashbinByDav } from "../../../../../lib/server/http/dav/trashbin_by_dav.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/remote.php/dav/trashbin/:user/*?" };

/** A user's trash, where clients of Nextcloud look for it. */
export const handler = trashbinByDav;
