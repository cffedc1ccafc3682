import { define } from "../lib/server/http/define.ts";
import { apiErrorOr } from "../lib/server/http/response/error_response.ts";
import { renderError } from "./(_pages)/render_error.tsx";

/** Not found: an error of the API, or a page. */
export const handler = define.handlers((ctx) => apiErrorOr(ctx, () => renderError(ctx, 404)));
