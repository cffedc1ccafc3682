import type { State } from "../../../lib/server/define.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { userIdOf } from "../../../lib/server/http/request/user_requests.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { adminOf } from "../../../lib/server/http/middleware/sign_in.ts";

/** The usage of one user, counted again, for administrators. */
export const handler = methods<State>({
  async POST(ctx) {
    adminOf(ctx, "count what a user has in use");
    const { quotas, users } = ctx.state.cubby;
    return jsonAnswer(await quotas.recount(await users.acting(userIdOf(ctx))));
  },
});
