import type { State } from "../../../../lib/server/define.ts";
import { jobChangeSchema } from "../../../../lib/shared/schemas/job.ts";
import { read } from "../../../../lib/shared/schemas/read.ts";
import { readJsonObject } from "../../../../lib/server/http/request/json_body.ts";
import { methods } from "../../../../lib/server/http/middleware/methods.ts";
import {
  jobAnswer,
  jobOwnerOf,
  sentToDisksOf,
  waitForJob,
} from "../../../../lib/server/http/jobs/job_requests.ts";

/** One of the user's own jobs: how far it is, paused, resumed and cancelled. */
export const handler = methods<State>({
  async GET(ctx) {
    const { id = "" } = ctx.params;
    const { user } = await jobOwnerOf(ctx, id);
    return await jobAnswer(ctx, await waitForJob(ctx, user.id, id));
  },

  async PATCH(ctx) {
    const { id = "" } = ctx.params;
    const { jobs } = ctx.state.cubby;
    const { user } = await jobOwnerOf(ctx, id);
    const job = await jobs.records.get(user.id, id);
    const change = await readJsonObject(ctx);
    const { state } = read(jobChangeSchema, change);
    // One that is at work heeds its user's order by its record.
    const sent = job.runner === null ? await sentToDisksOf(ctx, job, change) : null;
    if (sent) return sent;
    await jobs.change(user.id, id, state);
    return await jobAnswer(ctx, await jobs.records.get(user.id, id));
  },
});
