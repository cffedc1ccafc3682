import type { State } from "../../../lib/server/define.ts";
import { jsonAnswer, textAnswer } from "../../../lib/server/http/response/answers.ts";
import { noteActivity } from "../../../lib/server/http/request/activities.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { trashPage } from "../../../lib/server/http/request/trash_requests.ts";

/** The user's own trash, listed and emptied. */
export const handler = methods<State>({
  async GET(ctx) {
    return jsonAnswer(await trashPage(ctx));
  },

  async DELETE(ctx) {
    const { trash } = ctx.state.cubby;
    const access = accessFor(ctx);
    access.need("Cannot empty the trash", "delete");
    const entries = await trash.records.list(signedInOf(ctx).user.id);
    const { removed, refusal } = await trash.removeWherePossible(entries, access);
    for (const { path } of removed) noteActivity(ctx, "purge", { path });
    if (refusal) throw refusal;
    return textAnswer("OK\n");
  },
});
