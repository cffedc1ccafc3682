import type { RouteConfig } from "fresh";
import { uploadsByDav } from "../../../../../lib/server/http/dav/uploads_by_dav.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/remote.php/dav/uploads/:user/*?" };

/** A user's uploads in chunks, where clients of Nextcloud send them. */
export const handler = uploadsByDav;
