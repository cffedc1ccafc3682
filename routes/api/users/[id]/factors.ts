import type { State } from "../../../../lib/server/define.ts";
import { toFactors } from "../../../../lib/server/auth/factors/factors_record.ts";
import { noteActivity } from "../../../../lib/server/http/request/activities.ts";
import { methods } from "../../../../lib/server/http/middleware/methods.ts";
import { adminOf } from "../../../../lib/server/http/middleware/sign_in.ts";
import { readOptionalObject } from "../../../../lib/server/http/request/json_body.ts";
import { userIdOf } from "../../../../lib/server/http/request/user_requests.ts";
import { requireReauthentication } from "../../../../lib/server/http/request/auth/require_passwords.ts";
import { jsonAnswer, textAnswer } from "../../../../lib/server/http/response/answers.ts";
import { DomainError } from "../../../../lib/shared/errors.ts";

/** The second factors of a user, for administrators: whether there are any, and their removal. */
export const handler = methods<State>({
  async GET(ctx) {
    const id = userIdOf(ctx);
    adminOf(ctx, "look at the second factors of a user");
    const { factors, users } = ctx.state.cubby;
    return jsonAnswer(toFactors(await factors.of(await users.get(id))));
  },
  async DELETE(ctx) {
    const id = userIdOf(ctx);
    const { user: me } = adminOf(ctx, "remove the second factors of a user");
    const { factors, users } = ctx.state.cubby;
    // A borrowed session would get rid of them without having one.
    if (me.id === id) {
      throw new DomainError("forbidden", "Cannot remove your own second factors here: use one");
    }
    const user = await users.get(id);
    await requireReauthentication(ctx, await readOptionalObject(ctx));
    if (user.hasFactors) {
      await factors.reset(user.id);
      const details = { account: user.id };
      noteActivity(ctx, "factor_remove", { subject: user.username, details });
    }
    return textAnswer();
  },
});
