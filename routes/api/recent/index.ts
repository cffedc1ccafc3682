import { calls } from "../../../lib/server/http/calls.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { recentOf } from "../../../lib/server/http/request/place_requests.ts";
import { jsonAnswer, textAnswer } from "../../../lib/server/http/response/answers.ts";
import { done, json } from "../../../lib/server/openapi/answers.ts";
import { schemaNamed } from "../../../lib/server/openapi/references.ts";

/** The files that the user has used last: listed, and forgotten. */
export const handler = calls({
  GET: {
    id: "listRecent",
    tag: "Resources",
    summary: "List the files that one has used last",
    description: "The latest first, 100 at most. Uploads and saves are noted by themselves, up " +
      "to three seconds late; none where the user's `keepRecent` is off.",
    token: "read",
    answers: {
      200: json("The files.", { type: "array", items: schemaNamed("RecentEntry") }),
    },
    async handle(ctx) {
      return jsonAnswer(await recentOf(ctx));
    },
  },
  DELETE: {
    id: "clearRecent",
    tag: "Resources",
    summary: "Forget the files that one has used",
    token: "whole write",
    answers: { 200: done },
    async handle(ctx) {
      await ctx.state.cubby.recent.clear(signedInOf(ctx).user.id);
      return textAnswer("OK\n");
    },
  },
});
