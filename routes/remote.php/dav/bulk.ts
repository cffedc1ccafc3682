import type { RouteConfig } from "fresh";
import { bulkUpload } from "../../../lib/server/http/dav/bulk_upload.ts";
import { davMethods } from "../../../lib/server/http/dav/dav_methods.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/remote.php/dav/bulk{/}?" };

/** Many small files in one request, as clients of Nextcloud send them. */
export const handler = davMethods({ POST: bulkUpload });
