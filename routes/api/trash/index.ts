import { calls } from "../../../lib/server/http/calls.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import { trashPage } from "../../../lib/server/http/request/trash_requests.ts";
import { jsonAnswer, textAnswer } from "../../../lib/server/http/response/answers.ts";
import { done, json } from "../../../lib/server/openapi/answers.ts";
import { pageParameters } from "../../../lib/server/openapi/parameters.ts";
import { schemaNamed } from "../../../lib/server/openapi/references.ts";

/** The user's own trash, listed and emptied. */
export const handler = calls({
  GET: {
    id: "listTrash",
    tag: "Resources",
    summary: "List one's own trash",
    token: "whole read",
    parameters: [
      {
        name: "query",
        in: "query",
        description: "Words that the names hold, in any case.",
        schema: { type: "string" },
      },
      {
        name: "versions",
        in: "query",
        description: "A path: lists the former versions of that file, which are not listed " +
          "otherwise.",
        schema: { type: "string" },
      },
      {
        name: "all",
        in: "query",
        description: "Lists former versions of all files among the rest: what counts in a quota.",
        schema: { type: "boolean" },
      },
      ...pageParameters("1,000 unless given, and no more"),
    ],
    answers: { 200: json("What can be restored.", schemaNamed("Trash")) },
    refusals: ["invalid_option"],
    async handle(ctx) {
      return jsonAnswer(await trashPage(ctx));
    },
  },

  DELETE: {
    id: "emptyTrash",
    tag: "Resources",
    summary: "Delete all of one's trash for good",
    description: "Needs the permission to delete. What lies on a disk that is not mounted or is " +
      "read-only stays in the trash: the rest is deleted, then the call is refused.",
    token: "whole write",
    answers: { 200: done },
    async handle(ctx) {
      const { trash } = ctx.state.cubby;
      const access = accessFor(ctx);
      access.need("Cannot empty the trash", "delete");
      const entries = await trash.records.list(signedInOf(ctx).user.id);
      const { removed, refusal } = await trash.removeWherePossible(entries, access);
      for (const { path } of removed) noteActivity(ctx, "purge", { path });
      if (refusal) throw refusal;
      return textAnswer("OK\n");
    },
  },
});
