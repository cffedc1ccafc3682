import type { State } from "../../lib/define.ts";
import { jsonAnswer, textAnswer } from "../../lib/http/answers.ts";
import { readJsonObject } from "../../lib/http/json_body.ts";
import { methods } from "../../lib/http/methods.ts";
import { adminOf } from "../../lib/http/sign_in.ts";
import { confirmIt } from "../../lib/http/user_requests.ts";
import { changesPower } from "../../lib/settings/changes_power.ts";
import { readSettings } from "../../lib/settings/settings.ts";

/** What administrators settle for the whole server. */
export const handler = methods<State>({
  GET(ctx) {
    return jsonAnswer(adminOf(ctx, "read the settings").settings);
  },
  async PUT(ctx) {
    const { settings } = adminOf(ctx, "change the settings");
    const body = await readJsonObject(ctx.req);
    const next = readSettings(body, settings);
    if (changesPower(settings, next)) await confirmIt(ctx, body);
    await ctx.state.cubby.settings.update(next);
    return textAnswer();
  },
});
