import { calls } from "../../lib/server/http/calls.ts";
import { recipientNames } from "../../lib/server/http/request/recipient_requests.ts";
import { jsonAnswer } from "../../lib/server/http/response/answers.ts";
import { json } from "../../lib/server/http/openapi/answers.ts";

/** Names of users and groups that one may share with. */
export const handler = calls({
  GET: {
    id: "findRecipients",
    tag: "Shares",
    summary: "Find users and groups to share with",
    description:
      "By the beginning of their names. For users who may share and download: those whom their " +
      "own shares are for, or all where the setting `suggestNames` (off by default) allows it, " +
      "and for administrators. Users find the groups that they are in, administrators all; you " +
      "do not find yourself. More than 60 lookups a minute are 429.",
    parameters: [
      {
        name: "query",
        in: "query",
        description: "The beginning of the name, in any case: at least two characters.",
        schema: { type: "string" },
      },
    ],
    answers: {
      200: json("At most eight, by name; a group with an `@` before it.", {
        type: "array",
        items: { type: "string" },
      }),
    },
    refusals: ["throttled"],
    examples: `
$ curl -s "$CUBBY/api/recipients?query=nobody" -H "X-Auth: $TOKEN" | jq
[]
`,
    async handle(ctx) {
      return jsonAnswer(await recipientNames(ctx, ctx.url.searchParams.get("query") ?? ""));
    },
  },
});
