import type { State } from "../../../lib/server/define.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import {
  begunBy,
  begunJobAnswer,
  jobOf,
  sentToSlowDisk,
} from "../../../lib/server/http/request/job_requests.ts";

/** The user's own jobs, listed and begun. */
export const handler = methods<State>({
  async GET(ctx) {
    const { user, token } = signedInOf(ctx);
    return jsonAnswer(await ctx.state.cubby.jobs.list(user.id, token?.id));
  },

  async POST(ctx) {
    const { action, entries, body } = await jobOf(ctx);
    const sent = await sentToSlowDisk(ctx, entries, body);
    if (sent) return sent;
    const facts = { ...begunBy(ctx), action };
    const { userId, id } = await ctx.state.cubby.jobs.begin(facts, entries);
    return await begunJobAnswer(ctx, userId, id);
  },
});
