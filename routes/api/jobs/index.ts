import { calls } from "../../../lib/server/http/calls.ts";
import { beginJob, begunJobAnswer, jobBody } from "../../../lib/server/http/jobs/job_requests.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { jobList } from "../../../lib/server/http/request/lists/job_lists.ts";
import { listAnswer } from "../../../lib/server/http/request/lists/list.ts";
import { json, list } from "../../../lib/server/openapi/answers.ts";
import { listParameters, parameterNamed } from "../../../lib/server/openapi/parameters.ts";
import { goesOn } from "../../../lib/server/openapi/parts/jobs.ts";
import { schemaNamed } from "../../../lib/server/openapi/references.ts";

/** The user's own jobs, listed and begun. */
export const handler = calls({
  GET: {
    id: "listJobs",
    tag: "Resources",
    summary: "List one's own jobs",
    description: "The latest first, without what failed. Ended ones are kept for 30 days, the " +
      "last hundred of a user.",
    token: "read",
    parameters: listParameters("the name and the folders"),
    answers: { 200: list("The jobs.", schemaNamed("Job")) },
    refusals: ["invalid_option"],
    async handle(ctx) {
      const { user, token } = signedInOf(ctx);
      return await listAnswer(ctx, jobList(await ctx.state.cubby.jobs.list(user.id, token?.id)));
    },
  },

  POST: {
    id: "beginJob",
    tag: "Resources",
    summary: "Begin a job: copy, move, delete, archive, extract or digest",
    description:
      "The entries are dealt with one after another, each with the permissions of the call " +
      "for one entry. What fails is noted, the others go on. The job goes on when the client is " +
      "gone, and after a restart of the server. It is over when `ended` is no longer null.\n\n" +
      "`trash` moves entries to the trash, `delete` deletes them for good; `archive` makes an " +
      "archive of a folder or of names in it, `extract` a folder of an archive, and `checksum` " +
      "tells digests in `checksums`.",
    token: "write",
    parameters: [parameterNamed("Prefer")],
    body: jobBody,
    answers: { 200: json("The job is over.", schemaNamed("Job")), 202: goesOn },
    refusals: ["invalid_path", "throttled", "busy"],
    async handle(ctx) {
      const begun = await beginJob(ctx);
      return begun instanceof Response ? begun : await begunJobAnswer(ctx, begun);
    },
  },
});
