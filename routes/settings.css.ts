import { define } from "../lib/server/define.ts";
import { sheetAnswer } from "../lib/server/pages/style_sheet.ts";

/** The style sheet of the settings and the trash, besides that of every page. */
export const handler = define.handlers({
  GET: (ctx) => sheetAnswer(ctx, "settings"),
});
