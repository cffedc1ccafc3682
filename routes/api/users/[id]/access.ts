import { parsePath } from "../../../../lib/shared/path.ts";
import { calls } from "../../../../lib/server/http/calls.ts";
import { sessionOf } from "../../../../lib/server/http/middleware/sign_in.ts";
import { accessAnswer } from "../../../../lib/server/http/request/access_answer.ts";
import { userIdOf } from "../../../../lib/server/http/request/user_requests.ts";
import { jsonAnswer } from "../../../../lib/server/http/response/answers.ts";
import { json, schemaNamed } from "../../../../lib/server/http/openapi/answers.ts";

/** The permissions of a user for an entry, each with the reason, for administrators. */
export const handler = calls({
  GET: {
    id: "explainAccess",
    tag: "Users",
    summary: "Tell what a user may do with an entry, and why not",
    description:
      "For each action, returns whether it is `allowed` and the `reasons` if it is not: all " +
      "missing permissions, then the first other obstacle: a `rule` with its list (`global`, " +
      "`group`, `user`) and place, a `hidden` name, a `link` that leads out, the server's own " +
      "files (`reserved`, `read_only`), the `scope`, the `quota`, commands that are off or " +
      "not granted, second factors to set up first (`enrol`). The server asks the code that " +
      "decides about the user's own calls, without a session of the user.\n\n" +
      "For a folder, `entries` are its entries, up to 500, each with the reasons why the user " +
      "does not see it; `more` counts the rest. A place outside your own scope is 403.",
    who: "admin",
    parameters: [
      {
        name: "id",
        in: "path",
        required: true,
        description: "The user's number.",
        schema: { type: "integer", minimum: 1 },
      },
      {
        name: "path",
        in: "query",
        description: "A path in the user's scope; `/` by default.",
        schema: { type: "string" },
      },
    ],
    answers: { 200: json("What the user may do.", schemaNamed("AccessAnswer")) },
    refusals: ["invalid_path", "not_found"],
    examples: `
$ curl -s "$CUBBY/api/users/1/access?path=/photos" -H "X-Auth: $TOKEN" | jq -r .actions[0].allowed
true
`,
    async handle(ctx) {
      const id = userIdOf(ctx);
      const me = sessionOf(ctx);
      const { path } = parsePath(ctx.url.searchParams.get("path") ?? "/");
      const { users } = ctx.state.cubby;
      const user = await users.acting(id);
      const groups = await users.groups.of(user.groups);
      return jsonAnswer(await accessAnswer(ctx, { me, user, groups, path }));
    },
  },
});
