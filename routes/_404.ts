import { define } from "../lib/define.ts";
import { apiErrorOr } from "../lib/http/api_error.ts";
import { renderError } from "../lib/pages/render_error.tsx";

/** Nothing is at this address: an error of the API, or a page. */
export const handler = define.handlers((ctx) => apiErrorOr(ctx, () => renderError(ctx, 404)));
