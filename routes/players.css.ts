import { define } from "../lib/server/http/define.ts";
import { sheetAnswer } from "../lib/server/http/pages/style_sheet.ts";

/** The style sheet of the players of films and music, which their code loads. */
export const handler = define.handlers({
  GET: (ctx) => sheetAnswer(ctx, "players"),
});
