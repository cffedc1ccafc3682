import { calls } from "../../lib/server/http/calls.ts";
import { sharedWithMe } from "../../lib/server/http/request/share_requests.ts";
import { jsonAnswer } from "../../lib/server/http/response/answers.ts";
import { json } from "../../lib/server/openapi/answers.ts";
import { schemaNamed } from "../../lib/server/openapi/references.ts";

/** The shares for the user. */
export const handler = calls({
  GET: {
    id: "listShared",
    tag: "Shares",
    summary: "List what others share with oneself",
    description: "Of a share, who is not in its `audience` sees and opens nothing.",
    answers: {
      200: json("By name.", { type: "array", items: schemaNamed("SharedWithMe") }),
    },
    async handle(ctx) {
      return jsonAnswer(await sharedWithMe(ctx));
    },
  },
});
