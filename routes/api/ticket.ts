import { DomainError } from "../../lib/shared/errors.ts";
import { parsePath } from "../../lib/shared/path.ts";
import { calls } from "../../lib/server/http/calls.ts";
import { sessionOf } from "../../lib/server/http/middleware/sign_in.ts";
import { textField } from "../../lib/server/http/request/json_body.ts";
import { textAnswer } from "../../lib/server/http/response/answers.ts";
import { schemaNamed, text } from "../../lib/server/http/openapi/answers.ts";
import { jsonBody } from "../../lib/server/http/openapi/json_body.ts";

/** Makes a short-lived ticket for one path and one use, for addresses that carry no header. */
export const handler = calls({
  POST: {
    id: "makeTicket",
    tag: "Sessions",
    summary: "Create a ticket for an address that can carry no header",
    description:
      "A ticket authenticates as your session in `?auth=`, for one path and one use, for a " +
      "minute: for a link to open elsewhere, a player, a WebSocket. It ends with the session. " +
      "The `path` is not encoded.",
    body: jsonBody({
      path: { type: "string", description: "Not percent-encoded." },
      use: { type: "string", enum: ["raw", "command"] },
    }, ["path", "use"]),
    answers: { 200: text("The ticket.", schemaNamed("Token")) },
    refusals: ["invalid_path", "invalid_option"],
    examples: `
$ TICKET=$(curl -s $CUBBY/api/ticket -H "X-Auth: $TOKEN" --json '{"path": "/notes.txt", "use": "raw"}')
$ curl "$CUBBY/api/raw/notes.txt?auth=$TICKET"
Buy milk

$ curl "$CUBBY/api/raw/photos/sea.jpg?auth=$TICKET"
Cannot answer the request: sign in first
`,
    async handle(ctx, body) {
      const { path } = parsePath(textField(body, "path"));
      const use = textField(body, "use");
      if (use !== "raw" && use !== "command") {
        throw new DomainError("invalid_option", `Cannot make a ticket for "${use}"`);
      }
      const ticket = await ctx.state.cubby.sessions.ticket(sessionOf(ctx), { path, use });
      return textAnswer(ticket);
    },
  },
});
