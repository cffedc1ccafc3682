import { define } from "../lib/server/define.ts";
import { sheetAnswer } from "../lib/server/http/response/sheet_answer.ts";
import { styleSheet } from "../lib/server/pages/style_sheet.ts";

/**
 * The style sheet of late code, loaded with the first of it: see `lib/client/core/late_styles.ts`.
 */
export const handler = define.handlers({
  GET: async (ctx) => sheetAnswer(ctx, await styleSheet("late", ctx.config.mode === "development")),
});
