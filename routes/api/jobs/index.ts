import type { State } from "../../../lib/server/define.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import {
  begunBy,
  jobAnswer,
  jobOf,
  preferenceOf,
  sentToSlowDisk,
} from "../../../lib/server/http/request/job_requests.ts";

/** The user's own jobs, listed and begun. */
export const handler = methods<State>({
  async GET(ctx) {
    const { user, token } = signedInOf(ctx);
    return jsonAnswer(await ctx.state.cubby.jobs.list(user.id, token?.id));
  },

  async POST(ctx) {
    const { action, entries, body } = await jobOf(ctx.req);
    const sent = await sentToSlowDisk(ctx, entries, body);
    if (sent) return sent;
    const { jobs } = ctx.state.cubby;
    const facts = { ...begunBy(ctx), action };
    const { userId, id } = await jobs.begin(facts, entries);
    const job = await jobs.wait(userId, id, preferenceOf(ctx.req).waitMs, ctx.req.signal);
    return await jobAnswer(ctx, job, job.ended === null ? 202 : 200);
  },
});
