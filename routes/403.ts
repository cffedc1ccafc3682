import { define } from "../lib/server/http/define.ts";
import { renderError } from "./(_pages)/render_error.tsx";

/** The page for a refused request (403). */
export const handler = define.handlers({ GET: (ctx) => renderError(ctx, 403) });
