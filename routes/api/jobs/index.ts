import type { State } from "../../../lib/server/define.ts";
import { jobList } from "../../../lib/server/http/request/lists/job_lists.ts";
import { listAnswer } from "../../../lib/server/http/request/lists/list.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { beginJob, begunJobAnswer } from "../../../lib/server/http/jobs/job_requests.ts";

/** The user's own jobs, listed and begun. */
export const handler = methods<State>({
  async GET(ctx) {
    const { user, token } = signedInOf(ctx);
    return await listAnswer(ctx, jobList(await ctx.state.cubby.jobs.list(user.id, token?.id)));
  },

  async POST(ctx) {
    const begun = await beginJob(ctx);
    return begun instanceof Response ? begun : await begunJobAnswer(ctx, begun);
  },
});
