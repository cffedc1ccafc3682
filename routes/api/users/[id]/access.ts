import { parsePath } from "../../../../lib/shared/path.ts";
import { calls } from "../../../../lib/server/http/calls.ts";
import { sessionOf } from "../../../../lib/server/http/middleware/sign_in.ts";
import { accessAnswer } from "../../../../lib/server/http/request/access_answer.ts";
import { userIdOf } from "../../../../lib/server/http/request/user_requests.ts";
import { jsonAnswer } from "../../../../lib/server/http/response/answers.ts";
import { json } from "../../../../lib/server/openapi/answers.ts";
import { schemaNamed } from "../../../../lib/server/openapi/references.ts";

/** The permissions of a user for an entry, each with the reason, for administrators. */
export const handler = calls({
  GET: {
    id: "explainAccess",
    tag: "Users",
    summary: "Tell what a user may do with an entry, and why not",
    description: "For administrators, and for places in their own scope. What is in a folder is " +
      "told as the user sees it, up to 500 entries.",
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
        description: "From the scope of the user; `/` unless given.",
        schema: { type: "string" },
      },
    ],
    answers: { 200: json("What the user may do.", schemaNamed("AccessAnswer")) },
    refusals: ["invalid_path", "not_found"],
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
