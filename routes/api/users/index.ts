import type { State } from "../../../lib/server/define.ts";
import { makeHome } from "../../../lib/server/files/make_home.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { listAnswer } from "../../../lib/server/http/request/lists/list.ts";
import { groupOption, userList } from "../../../lib/server/http/request/lists/user_lists.ts";
import { readJsonObject } from "../../../lib/server/http/request/json_body.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { adminOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { readUserRequest } from "../../../lib/server/http/request/user_requests.ts";
import { requireReauthentication } from "../../../lib/server/http/request/auth/require_passwords.ts";
import { addUser } from "../../../lib/server/users/add_user.ts";

/** The users: administrators list and add them. */
export const handler = methods<State>({
  async GET(ctx) {
    adminOf(ctx, "list the users");
    return await listAnswer(ctx, userList(ctx.state.cubby.users, groupOption(ctx)));
  },
  async POST(ctx) {
    const { settings } = adminOf(ctx, "add a user");
    const { config, gate, quotas, users } = ctx.state.cubby;
    const { data, body } = readUserRequest(await readJsonObject(ctx));
    await requireReauthentication(ctx, body);
    const user = await addUser(users, settings, data, (home) => makeHome(gate, home));
    noteActivity(ctx, "user_add", { subject: user.username });
    quotas.check(await users.acting(user.id));
    const location = `${config.baseUrl}/settings/users/${user.id}`;
    return textAnswer("", { status: 201, headers: { location } });
  },
});
