import type { State } from "../../../../lib/server/define.ts";
import { accessAnswer } from "../../../../lib/server/http/request/access_answer.ts";
import { userIdOf } from "../../../../lib/server/http/request/user_requests.ts";
import { methods } from "../../../../lib/server/http/middleware/methods.ts";
import { adminOf } from "../../../../lib/server/http/middleware/sign_in.ts";
import { jsonAnswer } from "../../../../lib/server/http/response/answers.ts";
import { parsePath } from "../../../../lib/shared/path.ts";

/** The permissions of a user for an entry, each with the reason, for administrators. */
export const handler = methods<State>({
  async GET(ctx) {
    const id = userIdOf(ctx);
    const me = adminOf(ctx, "look at the access of a user");
    const { path } = parsePath(ctx.url.searchParams.get("path") ?? "/");
    const { users } = ctx.state.cubby;
    const user = await users.acting(id);
    const groups = await users.groups.of(user.groups);
    return jsonAnswer(await accessAnswer(ctx, { me, user, groups, path }));
  },
});
