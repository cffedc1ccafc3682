import { DomainError } from "../../lib/shared/errors.ts";
import { calls } from "../../lib/server/http/calls.ts";
import { signedInOf } from "../../lib/server/http/middleware/sign_in.ts";
import { listAnswer } from "../../lib/server/http/request/lists/list.ts";
import { ownShareList, shareList } from "../../lib/server/http/request/lists/share_lists.ts";
import { flagOption } from "../../lib/server/http/request/query.ts";
import { list, schemaNamed } from "../../lib/server/http/openapi/answers.ts";
import { listParameters } from "../../lib/server/http/openapi/parameters.ts";

const sharesInAnyOrder = list("In no particular order.", schemaNamed("Share"));

/** The user's own shares; for administrators all. */
export const handler = calls({
  GET: {
    id: "listShares",
    tag: "Shares",
    summary: "List shares",
    description:
      "Your own, without `token`s. Administrators get those of all users, with the `username` " +
      "of each owner; `own=true` lists their own alone, each with its present target in " +
      "`state`: `file`, `folder` or `gone`.",
    token: "share",
    parameters: [
      ...listParameters("the path"),
      {
        name: "own",
        in: "query",
        description:
          "`true` lists only your own, for administrators as well, each with its present " +
          "target in `state`.",
        schema: { type: "boolean", default: false },
      },
    ],
    answers: { 200: sharesInAnyOrder },
    refusals: ["invalid_option"],
    examples: `
$ curl -s $CUBBY/api/shares -H "X-Auth: $TOKEN" | jq -r .[0].path
/notes.txt
`,
    async handle(ctx) {
      const { user } = signedInOf(ctx);
      if (!user.perm.admin && !user.perm.share) {
        throw new DomainError("forbidden", 'Cannot list shares: the permission "share" is missing');
      }
      const isOwn = flagOption(ctx.url.searchParams, "own");
      return await listAnswer(ctx, isOwn ? ownShareList(ctx) : shareList(ctx, user));
    },
  },
});
