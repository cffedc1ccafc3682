import { define } from "../../../lib/server/http/define.ts";
import { previewById } from "../../../lib/server/http/dav/client_previews.ts";

/** The preview of a file by its id, for phone apps. */
export const handler = define.handlers({ GET: previewById });
