import { define } from "../lib/server/http/define.ts";
import { sheetAnswer } from "../lib/server/http/pages/style_sheet.ts";

/** The style sheet of pages on paper: browsers load it last, and only print by it. */
export const handler = define.handlers({
  GET: (ctx) => sheetAnswer(ctx, "print"),
});
