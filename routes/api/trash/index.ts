import { calls } from "../../../lib/server/http/calls.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { recordActivity } from "../../../lib/server/http/request/activities.ts";
import { trashPage } from "../../../lib/server/http/request/trash_requests.ts";
import { jsonAnswer, textAnswer } from "../../../lib/server/http/response/answers.ts";
import { done, json, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { pageParameters } from "../../../lib/server/http/openapi/parameters.ts";

/** The user's own trash, listed and emptied. */
export const handler = calls({
  GET: {
    id: "listTrash",
    tag: "Resources",
    summary: "List your trash",
    description:
      "The latest first. `path` is null if the former place is outside your scope now; `size` " +
      "is 0 for a folder that was not measured yet. A page has fewer items than `limit`, or " +
      "none, if their paths exceed 512 Ki characters or a `query` was looked for in 10,000 " +
      "entries; `next` is null on the last page.\n\n" +
      "A file that an upload, a save or a restored version replaces is kept as a previous " +
      "version, unless the setting `trash.versions` is off. Previous versions are listed only " +
      "with `versions`, which takes the path of a file and lists those that you have " +
      "replaced, or with `all=true`, which lists everything that counts in a quota.",
    token: "whole read",
    parameters: [
      {
        name: "query",
        in: "query",
        description: "Words that must all be in the name, in any case.",
        schema: { type: "string" },
      },
      {
        name: "versions",
        in: "query",
        description: "A path: lists the previous versions of that file, which are not listed " +
          "otherwise.",
        schema: { type: "string" },
      },
      {
        name: "all",
        in: "query",
        description:
          "Also lists previous versions of all files: everything that counts in a quota.",
        schema: { type: "boolean" },
      },
      ...pageParameters("1,000 unless given, and no more"),
    ],
    answers: { 200: json("What can be restored.", schemaNamed("Trash")) },
    refusals: ["invalid_option"],
    examples: `
$ echo 'Mend the roof' > list.txt
$ curl -s --data-binary @list.txt $CUBBY/api/resources/old.txt -H "X-Auth: $TOKEN"
OK
$ curl -s -X DELETE "$CUBBY/api/resources/old.txt?trash=true" -H "X-Auth: $TOKEN"
OK
$ curl -s "$CUBBY/api/trash?query=OLD" -H "X-Auth: $TOKEN" | jq -r .items[0].path
/old.txt
`,
    async handle(ctx) {
      return jsonAnswer(await trashPage(ctx));
    },
  },

  DELETE: {
    id: "emptyTrash",
    tag: "Resources",
    summary: "Empty your trash",
    description:
      "Deletes its entries permanently. Entries on a disk that is not mounted or is read-only " +
      "stay in the trash: the others are deleted, then the call is refused (`disk_away`, " +
      "`read_only`).\n\n" +
      "Needs the permission to delete.",
    token: "whole write",
    answers: { 200: done },
    examples: `
$ curl -s -X DELETE $CUBBY/api/trash -H "X-Auth: $TOKEN"
OK
`,
    async handle(ctx) {
      const { trash } = ctx.state.cubby;
      const access = accessFor(ctx);
      access.need("Cannot empty the trash", "delete");
      const entries = await trash.records.list(signedInOf(ctx).user.id);
      const { removed, refusal } = await trash.removeWherePossible(entries, access);
      for (const { path } of removed) recordActivity(ctx, "purge", { path });
      if (refusal) throw refusal;
      return textAnswer("OK\n");
    },
  },
});
