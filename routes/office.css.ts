import { define } from "../lib/server/http/define.ts";
import { sheetAnswer } from "../lib/server/http/pages/style_sheet.ts";

/** The style sheet of the page of a document in the office server, besides that of every page. */
export const handler = define.handlers({
  GET: (ctx) => sheetAnswer(ctx, "office"),
});
