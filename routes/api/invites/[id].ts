import { calls } from "../../../lib/server/http/calls.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { text } from "../../../lib/server/openapi/answers.ts";
import { schemaNamed } from "../../../lib/server/openapi/references.ts";

/** Withdraws a link that makes a user or sets a password. */
export const handler = calls({
  DELETE: {
    id: "withdrawInvite",
    tag: "Users",
    summary: "Withdraw an invitation or a password link",
    description: "For administrators.",
    who: "admin",
    parameters: [{
      name: "id",
      in: "path",
      required: true,
      description: "The link, as `GET /api/invites` names it.",
      schema: { type: "string", pattern: "^[\\w-]{43}$" },
    }],
    answers: { 200: text("It is dead.", schemaNamed("Empty")) },
    refusals: ["not_found"],
    async handle(ctx) {
      const { username } = await ctx.state.cubby.invites.remove(ctx.params.id ?? "");
      noteActivity(ctx, "invite_remove", { subject: username ?? undefined });
      return textAnswer();
    },
  },
});
