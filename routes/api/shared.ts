import { calls } from "../../lib/server/http/calls.ts";
import { sharedWithMe } from "../../lib/server/http/request/share_requests.ts";
import { jsonAnswer } from "../../lib/server/http/response/answers.ts";
import { json, schemaNamed } from "../../lib/server/http/openapi/answers.ts";

/** The shares for the user. */
export const handler = calls({
  GET: {
    id: "listShared",
    tag: "Shares",
    summary: "List what others share with you",
    description:
      "Shares whose `audience` has you, or one of your groups. `may` is what you can do with " +
      "it now. Each opens at `/share/{hash}` and by the calls for visitors, only with your " +
      "session: for everyone else it is 404.",
    answers: {
      200: json("By name.", { type: "array", items: schemaNamed("SharedWithMe") }),
    },
    examples: `
$ curl -s $CUBBY/api/shared -H "X-Auth: $TOKEN" | jq
[]
`,
    async handle(ctx) {
      return jsonAnswer(await sharedWithMe(ctx));
    },
  },
});
