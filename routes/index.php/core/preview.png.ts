import { define } from "../../../lib/server/http/define.ts";
import { previewByPath } from "../../../lib/server/http/dav/client_previews.ts";

/** The preview of a file by its path, for phone apps. */
export const handler = define.handlers({ GET: previewByPath });
