import { define } from "../lib/define.ts";
import { apiErrorOr, logUnexpected } from "../lib/http/api_error.ts";
import { errorStatus } from "../lib/http/error_status.ts";
import { renderError } from "../lib/pages/render_error.tsx";

/** Something went wrong: an error of the API, or a page. */
export const handler = define.handlers((ctx) =>
  apiErrorOr(ctx, () => {
    logUnexpected(ctx);
    return renderError(ctx, errorStatus(ctx.error));
  })
);
