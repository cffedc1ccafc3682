import { jobChangeSchema } from "../../../../lib/shared/schemas/job.ts";
import { read } from "../../../../lib/shared/schemas/read.ts";
import { calls } from "../../../../lib/server/http/calls.ts";
import {
  jobAnswer,
  jobOwnerOf,
  sentToDisksOf,
  waitForJob,
} from "../../../../lib/server/http/jobs/job_requests.ts";
import { json, schemaNamed } from "../../../../lib/server/http/openapi/answers.ts";
import { wholeBody } from "../../../../lib/server/http/openapi/json_body.ts";
import { parameterNamed } from "../../../../lib/server/http/openapi/parameters.ts";
import { jobParameter } from "../../../../lib/server/http/openapi/parts/files.ts";

/** One of the user's own jobs: how far it is, paused, resumed and cancelled. */
export const handler = calls({
  GET: {
    id: "job",
    tag: "Resources",
    summary: "Get one of your jobs",
    description:
      "With `Prefer: wait=`, answers when the job ends or is paused, or when that time is " +
      "over.",
    token: "read",
    parameters: [jobParameter, parameterNamed("Prefer")],
    answers: { 200: json("The job.", schemaNamed("Job")) },
    refusals: ["not_found"],
    examples: `
$ curl $CUBBY/api/jobs/none -H "X-Auth: $TOKEN"
Cannot find the job "none"
`,
    async handle(ctx) {
      const { id = "" } = ctx.params;
      const { user } = await jobOwnerOf(ctx, id);
      return await jobAnswer(ctx, await waitForJob(ctx, user.id, id));
    },
  },

  PATCH: {
    id: "changeJob",
    tag: "Resources",
    summary: "Pause, resume or cancel a job",
    description:
      "What is done stays done. A paused copy resumes where it stopped; a cancelled one " +
      "leaves nothing of the unfinished entry. A job that is over, or that is being undone, " +
      "is 412 `precondition_failed`.",
    token: "write",
    parameters: [jobParameter],
    body: wholeBody(jobChangeSchema),
    answers: { 200: json("The job.", schemaNamed("Job")) },
    refusals: ["not_found", "precondition_failed"],
    examples: `
$ curl -i -X PATCH $CUBBY/api/jobs/$JOB -H "X-Auth: $TOKEN" --json '{"state": "paused"}'
HTTP/1.1 412 Precondition Failed
content-type: application/json; charset=utf-8

{"code":"precondition_failed","message":"Cannot change the job …: it has ended"}
`,
    async handle(ctx, change) {
      const { id = "" } = ctx.params;
      const { jobs } = ctx.state.cubby;
      const { user } = await jobOwnerOf(ctx, id);
      const job = await jobs.records.get(user.id, id);
      const { state } = read(jobChangeSchema, change);
      // One that is at work heeds its user's order by its record.
      const sent = job.runner === null ? await sentToDisksOf(ctx, job, change) : null;
      if (sent) return sent;
      await jobs.change(user.id, id, state);
      return await jobAnswer(ctx, await jobs.records.get(user.id, id));
    },
  },
});
