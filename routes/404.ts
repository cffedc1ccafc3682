import { define } from "../lib/server/define.ts";
import { renderError } from "../lib/server/pages/render_error.tsx";

/** Says that nothing is here. */
export const handler = define.handlers({ GET: (ctx) => renderError(ctx, 404) });
