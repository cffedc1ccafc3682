import type { RouteConfig } from "fresh";
import { define } from "../../../../../../../../../lib/server/http/define.ts";
import { thumbnailByPath } from "../../../../../../../../../lib/server/http/dav/client_previews.ts";

/** With a trailing slash as well, which the file's name alone does not match. */
export const config: RouteConfig = {
  routeOverride: "/index.php/apps/files/api/v1/thumbnail/:x/:y/*?",
};

/** A thumbnail of a file by its path, for phone apps. */
export const handler = define.handlers({ GET: thumbnailByPath });
