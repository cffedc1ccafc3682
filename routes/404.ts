import { define } from "../lib/server/http/define.ts";
import { renderError } from "./(_pages)/render_error.tsx";

/** The page for a missing entry (404). */
export const handler = define.handlers({ GET: (ctx) => renderError(ctx, 404) });
