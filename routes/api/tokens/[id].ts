import type { State } from "../../../lib/server/define.ts";
import { DomainError } from "../../../lib/shared/errors.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { sessionOf } from "../../../lib/server/http/middleware/sign_in.ts";

/** Revokes an API token: one's own, or, for administrators, anybody's. */
export const handler = methods<State>({
  async DELETE(ctx) {
    const { user } = sessionOf(ctx);
    const { apiTokens } = ctx.state.cubby;
    const token = await apiTokens.get(ctx.params.id ?? "");
    if (token.userId !== user.id && !user.perm.admin) {
      throw new DomainError("not_found", "Cannot find the API token: there is none of this id");
    }
    await apiTokens.remove(token);
    noteActivity(ctx, "token_remove", { subject: token.name });
    return textAnswer();
  },
});
