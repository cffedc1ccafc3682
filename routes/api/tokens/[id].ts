import { DomainError } from "../../../lib/shared/errors.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { sessionOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { recordActivity } from "../../../lib/server/http/request/activities.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { schemaNamed, text } from "../../../lib/server/http/openapi/answers.ts";

/** Revokes an API token: one's own, or, for administrators, anybody's. */
export const handler = calls({
  DELETE: {
    id: "revokeApiToken",
    tag: "Sessions",
    summary: "Revoke an API token",
    description:
      "One of your own; administrators can revoke any. The token stops working immediately.",
    parameters: [{
      name: "id",
      in: "path",
      required: true,
      description: "The token, as `GET /api/tokens` names it.",
      schema: { type: "string", pattern: "^[\\w-]{43}$" },
    }],
    answers: { 200: text("Removed.", schemaNamed("Empty")) },
    refusals: ["not_found"],
    examples: `
$ ID=$(curl -s $CUBBY/api/tokens -H "X-Auth: $TOKEN" | jq -r .[0].id)
$ curl -i -X DELETE $CUBBY/api/tokens/$ID -H "X-Auth: $TOKEN"
HTTP/1.1 200 OK
content-type: text/plain; charset=utf-8
`,
    async handle(ctx) {
      const { user } = sessionOf(ctx);
      const { apiTokens } = ctx.state.cubby;
      const token = await apiTokens.get(ctx.params.id ?? "");
      if (token.userId !== user.id && !user.perm.admin) {
        throw new DomainError("not_found", "Cannot find the API token: no such id");
      }
      await apiTokens.remove(token);
      recordActivity(ctx, "token_remove", { subject: token.name });
      return textAnswer();
    },
  },
});
