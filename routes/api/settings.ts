import type { State } from "../../lib/define.ts";
import { jsonAnswer, textAnswer } from "../../lib/http/answers.ts";
import { readJsonObject } from "../../lib/http/json_body.ts";
import { methods } from "../../lib/http/methods.ts";
import { adminOf } from "../../lib/http/sign_in.ts";
import { readSettings } from "../../lib/settings/read_settings.ts";

/** What administrators settle for the whole server. */
export const handler = methods<State>({
  GET(ctx) {
    return jsonAnswer(adminOf(ctx, "read the settings").settings);
  },
  async PUT(ctx) {
    const { settings } = adminOf(ctx, "change the settings");
    const next = readSettings(await readJsonObject(ctx.req), settings);
    await ctx.state.cubby.settings.update(next);
    return textAnswer();
  },
});
