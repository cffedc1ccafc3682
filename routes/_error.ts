import { define } from "../lib/server/http/define.ts";
import {
  apiErrorOr,
  errorStatus,
  logUnexpected,
} from "../lib/server/http/response/error_response.ts";
import { renderError } from "./(_pages)/render_error.tsx";

/** Something went wrong: an error of the API, or a page. */
export const handler = define.handlers((ctx) =>
  apiErrorOr(ctx, () => {
    logUnexpected(ctx);
    return renderError(ctx, errorStatus(ctx.error));
  })
);
