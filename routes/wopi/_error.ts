import { define } from "../../lib/server/http/define.ts";
import { errorStatus } from "../../lib/server/http/response/error_response.ts";
import { wopiError } from "../../lib/server/http/wopi/wopi_error.ts";
import { renderError } from "../(_pages)/render_error.tsx";

/** All errors of WOPI in one shape; a page, as anywhere, while there is no office server. */
export const handler = define.handlers((ctx) =>
  ctx.state.cubby.config.office ? wopiError(ctx) : renderError(ctx, errorStatus(ctx.error))
);
