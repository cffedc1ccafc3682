import { define } from "../lib/server/http/define.ts";
import { sheetAnswer } from "../lib/server/http/pages/style_sheet.ts";

/** The style sheet of every page. Its address contains the build (`asset()`). */
export const handler = define.handlers({
  GET: (ctx) => sheetAnswer(ctx, "site"),
});
