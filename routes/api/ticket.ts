import { parsePath } from "../../lib/shared/path.ts";
import type { State } from "../../lib/server/define.ts";
import { DomainError } from "../../lib/shared/errors.ts";
import { textAnswer } from "../../lib/server/http/response/answers.ts";
import { readJsonObject, textField } from "../../lib/server/http/request/json_body.ts";
import { methods } from "../../lib/server/http/middleware/methods.ts";
import { sessionOf } from "../../lib/server/http/middleware/sign_in.ts";

/** Makes a short-lived ticket for one path and one use, for addresses that carry no header. */
export const handler = methods<State>({
  async POST(ctx) {
    const body = await readJsonObject(ctx);
    const { path } = parsePath(textField(body, "path"));
    const use = textField(body, "use");
    if (use !== "raw" && use !== "command") {
      throw new DomainError("invalid_option", `Cannot make a ticket for "${use}"`);
    }
    const ticket = await ctx.state.cubby.sessions.ticket(sessionOf(ctx), { path, use });
    return textAnswer(ticket);
  },
});
