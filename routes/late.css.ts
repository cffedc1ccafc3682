import { define } from "../lib/server/http/define.ts";
import { sheetAnswer } from "../lib/server/http/pages/style_sheet.ts";

/**
 * The style sheet of late code, loaded with the first of it: see `lib/client/base/core/lazy.ts`.
 */
export const handler = define.handlers({
  GET: (ctx) => sheetAnswer(ctx, "late"),
});
