import { makeHome } from "../../../lib/server/files/make_folder.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { sessionOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { recordActivity } from "../../../lib/server/http/request/activities.ts";
import { requireReauthentication } from "../../../lib/server/http/request/auth/require_passwords.ts";
import { listAnswer } from "../../../lib/server/http/request/lists/list.ts";
import { groupOption, userList } from "../../../lib/server/http/request/lists/account_lists.ts";
import { readUserRequest } from "../../../lib/server/http/request/user_requests.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { headerNamed, list, schemaNamed, text } from "../../../lib/server/http/openapi/answers.ts";
import { listParameters } from "../../../lib/server/http/openapi/parameters.ts";
import { badUser, userBody } from "../../../lib/server/http/openapi/parts/accounts.ts";
import { addUser } from "../../../lib/server/features/accounts/users/add_user.ts";

/** The users: administrators list and add them. */
export const handler = calls({
  GET: {
    id: "listUsers",
    tag: "Users",
    summary: "List the users",
    description: "Contains no passwords and no hashes.",
    who: "admin",
    parameters: [
      ...listParameters("the name"),
      {
        name: "group",
        in: "query",
        description: "The number of a group, to list only its members.",
        schema: { type: "integer", minimum: 1 },
      },
    ],
    answers: { 200: list("By number; with `query` by name.", schemaNamed("User")) },
    refusals: ["invalid_option"],
    examples: `
$ curl -s $CUBBY/api/users -H "X-Auth: $TOKEN" | jq -r .[0].username
admin
`,
    async handle(ctx) {
      return await listAnswer(ctx, userList(ctx.state.cubby.users, groupOption(ctx)));
    },
  },
  POST: {
    id: "addUser",
    tag: "Users",
    summary: "Add a user",
    description:
      "Needs your `current_password`. Fields that `data` leaves out come from the defaults of " +
      "the settings. If those give every user a home folder, a user without a scope gets it. " +
      "`what` is always `user`.",
    who: "admin",
    body: userBody("The new user, with a password."),
    answers: {
      201: text("Added.", schemaNamed("Empty"), { Location: headerNamed("UserPage") }),
    },
    refusals: [
      ...badUser,
      "exists",
    ],
    examples: `
$ curl -i $CUBBY/api/users -H "X-Auth: $TOKEN" --json '{"what": "user", "current_password": "a cub naps beside 7 rivers", "data": {"username": "vera", "password": "four herons at dawn", "scope": "/photos", "perm": {"share": false}}}'
HTTP/1.1 201 Created
content-type: text/plain; charset=utf-8
location: /settings/users/2
`,
    async handle(ctx, body) {
      const { settings } = sessionOf(ctx);
      const { config, gate, quotas, users } = ctx.state.cubby;
      const { data } = readUserRequest(body);
      await requireReauthentication(ctx, body);
      const user = await addUser(users, settings, data, (home) => makeHome(gate, home));
      recordActivity(ctx, "user_add", { subject: user.username });
      quotas.check(await users.acting(user.id));
      const location = `${config.baseUrl}/settings/users/${user.id}`;
      return textAnswer("", { status: 201, headers: { location } });
    },
  },
});
