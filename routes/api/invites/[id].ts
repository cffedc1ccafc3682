import { calls } from "../../../lib/server/http/calls.ts";
import { recordActivity } from "../../../lib/server/http/request/activities.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { schemaNamed, text } from "../../../lib/server/http/openapi/answers.ts";

/** Withdraws a link that makes a user or sets a password. */
export const handler = calls({
  DELETE: {
    id: "withdrawInvite",
    tag: "Users",
    summary: "Withdraw an invitation or a reset link",
    who: "admin",
    parameters: [{
      name: "id",
      in: "path",
      required: true,
      description: "The link, as `GET /api/invites` names it.",
      schema: { type: "string", pattern: "^[\\w-]{43}$" },
    }],
    answers: { 200: text("Withdrawn.", schemaNamed("Empty")) },
    refusals: ["not_found"],
    examples: `
$ curl -i -X DELETE $CUBBY/api/invites/none -H "X-Auth: $TOKEN"
HTTP/1.1 404 Not Found
content-type: text/plain; charset=utf-8

Cannot withdraw the link: no such link
`,
    async handle(ctx) {
      const { username } = await ctx.state.cubby.invites.remove(ctx.params.id ?? "");
      recordActivity(ctx, "invite_remove", { subject: username ?? undefined });
      return textAnswer();
    },
  },
});
