import type { State } from "../../../../lib/server/define.ts";
import { methods } from "../../../../lib/server/http/middleware/methods.ts";
import {
  begunJobAnswer,
  jobOwnerOf,
  sentToSlowDisk,
} from "../../../../lib/server/http/request/job_requests.ts";

/** Undoes what one of the user's own jobs has done. */
export const handler = methods<State>({
  async POST(ctx) {
    const { id = "" } = ctx.params;
    const { jobs } = ctx.state.cubby;
    const { user, token } = await jobOwnerOf(ctx, id);
    const steps = await jobs.records.steps(await jobs.records.get(user.id, id));
    const entries = steps.flatMap(({ value }) =>
      "to" in value ? [{ path: value.to, to: value.kind === "moved" ? value.from : null }] : []
    );
    const sent = await sentToSlowDisk(ctx, entries, null);
    if (sent) return sent;
    await jobs.undo(user.id, id, token?.id);
    return await begunJobAnswer(ctx, user.id, id);
  },
});
