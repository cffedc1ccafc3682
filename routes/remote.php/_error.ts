import { define } from "../../lib/server/http/define.ts";
import { davError } from "../../lib/server/http/dav/dav_error.ts";
import { errorStatus } from "../../lib/server/http/response/error_response.ts";
import { renderError } from "../(_pages)/render_error.tsx";

/** All errors of WebDAV in one shape; a page, as anywhere, without `--sync-clients`. */
export const handler = define.handlers((ctx) =>
  ctx.state.cubby.config.syncClients ? davError(ctx) : renderError(ctx, errorStatus(ctx.error))
);
