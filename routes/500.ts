import { define } from "../lib/server/define.ts";
import { renderError } from "../lib/server/pages/render_error.tsx";

/** Says that the server failed. */
export const handler = define.handlers({ GET: (ctx) => renderError(ctx, 500) });
