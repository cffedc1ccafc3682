import { define } from "../../lib/define.ts";
import { apiError } from "../../lib/http/api_error.ts";

/** Every refusal and failure of the API in one shape. */
export const handler = define.handlers((ctx) => apiError(ctx));
