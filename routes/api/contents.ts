import type { State } from "../../lib/server/define.ts";
import { jsonAnswer, textAnswer } from "../../lib/server/http/response/answers.ts";
import { methods } from "../../lib/server/http/middleware/methods.ts";
import { adminOf } from "../../lib/server/http/middleware/sign_in.ts";

/** The index of content search, for administrators. */
export const handler = methods<State>({
  async GET(ctx) {
    adminOf(ctx, "see how far the index is");
    return jsonAnswer(await ctx.state.cubby.contents.state());
  },

  /** Has it rebuilt. */
  async POST(ctx) {
    adminOf(ctx, "have the index built");
    await ctx.state.cubby.contents.rebuild();
    return textAnswer("OK\n");
  },
});
