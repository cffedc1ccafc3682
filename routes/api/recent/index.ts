import { calls } from "../../../lib/server/http/calls.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { recentOf } from "../../../lib/server/http/request/place_requests.ts";
import { jsonAnswer, textAnswer } from "../../../lib/server/http/response/answers.ts";
import { done, json, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";

/** The files that the user has used last: listed, and forgotten. */
export const handler = calls({
  GET: {
    id: "listRecent",
    tag: "Resources",
    summary: "List the files that you used last",
    description:
      "At most 100, the latest first, each as in a listing, with how it was used (`use`) and " +
      "when (`at`). On a disk that may not answer, `size` is 0. Uploads and saves are " +
      "recorded automatically, unless the user's `keepRecent` is off. They are stored after " +
      "three seconds (thirty if one process serves alone), so the list of another process may " +
      "be that late. The list follows moved entries and leaves out those that are gone, " +
      "hidden by a rule, or outside your scope.",
    token: "read",
    answers: {
      200: json("The files.", { type: "array", items: schemaNamed("RecentEntry") }),
    },
    examples: `
$ curl -s -X PUT $CUBBY/api/recent/notes.txt -H "X-Auth: $TOKEN"
OK
$ curl -s $CUBBY/api/recent -H "X-Auth: $TOKEN" | jq -r .[0].use
opened
`,
    async handle(ctx) {
      return jsonAnswer(await recentOf(ctx));
    },
  },
  DELETE: {
    id: "clearRecent",
    tag: "Resources",
    summary: "Clear the list of recent files",
    token: "whole write",
    answers: { 200: done },
    examples: `
$ curl -s -X DELETE $CUBBY/api/recent -H "X-Auth: $TOKEN"
OK
`,
    async handle(ctx) {
      await ctx.state.cubby.recent.clear(signedInOf(ctx).user.id);
      return textAnswer("OK\n");
    },
  },
});
