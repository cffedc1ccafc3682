import { calls } from "../../../../lib/server/http/calls.ts";
import {
  begunJobAnswer,
  jobOwnerOf,
  sentToDisksOf,
} from "../../../../lib/server/http/jobs/job_requests.ts";
import { json } from "../../../../lib/server/openapi/answers.ts";
import { parameterNamed } from "../../../../lib/server/openapi/parameters.ts";
import { goesOn, jobParameter } from "../../../../lib/server/openapi/parts/jobs.ts";
import { schemaNamed } from "../../../../lib/server/openapi/references.ts";

/** Undoes what one of the user's own jobs has done. */
export const handler = calls({
  POST: {
    id: "undoJob",
    tag: "Resources",
    summary: "Undo what a job has done",
    description:
      "Of a job that is over or paused. What was moved goes back, what has arrived goes to " +
      "the trash, what was deleted or replaced comes back from there; each with the permissions " +
      "that the user has now. What somebody has changed since stays as it is, and is told in " +
      "`failures`. 412 when there is nothing to undo.",
    token: "write",
    parameters: [jobParameter, parameterNamed("Prefer")],
    answers: { 200: json("It is undone.", schemaNamed("Job")), 202: goesOn },
    refusals: ["not_found", "precondition_failed"],
    async handle(ctx) {
      const { id = "" } = ctx.params;
      const { jobs } = ctx.state.cubby;
      const { user, token } = await jobOwnerOf(ctx, id);
      const sent = await sentToDisksOf(ctx, await jobs.records.get(user.id, id), undefined);
      if (sent) return sent;
      await jobs.undo(user.id, id, token?.id);
      return await begunJobAnswer(ctx, { userId: user.id, id });
    },
  },
});
