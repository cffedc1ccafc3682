import type { State } from "../../../../lib/server/define.ts";
import { methods } from "../../../../lib/server/http/middleware/methods.ts";
import {
  begunJobAnswer,
  jobOwnerOf,
  sentToDisksOf,
} from "../../../../lib/server/http/jobs/job_requests.ts";

/** Undoes what one of the user's own jobs has done. */
export const handler = methods<State>({
  async POST(ctx) {
    const { id = "" } = ctx.params;
    const { jobs } = ctx.state.cubby;
    const { user, token } = await jobOwnerOf(ctx, id);
    const sent = await sentToDisksOf(ctx, await jobs.records.get(user.id, id), undefined);
    if (sent) return sent;
    await jobs.undo(user.id, id, token?.id);
    return await begunJobAnswer(ctx, { userId: user.id, id });
  },
});
