import { define } from "../../lib/server/http/define.ts";
import { apiError } from "../../lib/server/http/response/error_response.ts";

/** All errors of the API in one shape. */
export const handler = define.handlers((ctx) => apiError(ctx));
