import { calls } from "../../../lib/server/http/calls.ts";
import { trashUsage } from "../../../lib/server/http/request/trash_requests.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { json, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";

/** How much the trash of all users holds, for administrators. */
export const handler = calls({
  GET: {
    id: "trashUsage",
    tag: "Resources",
    summary: "Tell how much the trash of each user holds",
    description:
      "The fullest trash comes first. `entries` includes previous versions; `name` is null for " +
      "a user who was deleted. The call measures folders, each once, for up to three seconds " +
      "and then in the background; while sizes are missing, `isPartial` is true.",
    who: "admin",
    answers: { 200: json("What it holds.", schemaNamed("TrashUsage")) },
    examples: `
$ curl -s $CUBBY/api/trash/usage -H "X-Auth: $TOKEN" | jq -r .isPartial
false
`,
    async handle(ctx) {
      return jsonAnswer(await trashUsage(ctx.state.cubby));
    },
  },
});
