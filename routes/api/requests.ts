import { calls } from "../../lib/server/http/calls.ts";
import { signedInOf } from "../../lib/server/http/middleware/sign_in.ts";
import { accessFor } from "../../lib/server/http/request/access_for.ts";
import { requestList } from "../../lib/server/http/request/file_requests.ts";
import { listAnswer } from "../../lib/server/http/request/lists/list.ts";
import { flagOption } from "../../lib/server/http/request/query.ts";
import { listParameters } from "../../lib/server/http/openapi/parameters.ts";
import { fileRequests } from "../../lib/server/http/openapi/parts/links.ts";

/** The user's own requests for files; for administrators all. */
export const handler = calls({
  GET: {
    id: "listRequests",
    tag: "Shares",
    summary: "List requests for files",
    description:
      "Your own. Administrators get those of all users, with the `username` of each owner; " +
      "`own=true` lists their own alone.",
    parameters: [
      ...listParameters("the path and the title"),
      {
        name: "own",
        in: "query",
        description: "`true` lists only your own, for administrators as well.",
        schema: { type: "boolean", default: false },
      },
    ],
    answers: { 200: fileRequests },
    refusals: ["invalid_option"],
    examples: `
$ curl -s $CUBBY/api/requests -H "X-Auth: $TOKEN" | jq -r .[0].title
More photos
`,
    async handle(ctx) {
      const { user } = signedInOf(ctx);
      accessFor(ctx).need("Cannot list requests", "share");
      return await listAnswer(
        ctx,
        requestList(ctx, user, { own: flagOption(ctx.url.searchParams, "own") }),
      );
    },
  },
});
