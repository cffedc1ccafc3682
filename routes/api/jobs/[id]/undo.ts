import { calls } from "../../../../lib/server/http/calls.ts";
import {
  begunJobAnswer,
  jobOwnerOf,
  sentToDisksOf,
} from "../../../../lib/server/http/jobs/job_requests.ts";
import { json, schemaNamed } from "../../../../lib/server/http/openapi/answers.ts";
import { parameterNamed } from "../../../../lib/server/http/openapi/parameters.ts";
import { goesOn, jobParameter } from "../../../../lib/server/http/openapi/parts/files.ts";

/** Undoes what one of the user's own jobs has done. */
export const handler = calls({
  POST: {
    id: "undoJob",
    tag: "Resources",
    summary: "Undo a job",
    description:
      "For a job that is over or paused; the last entry comes first. Moved entries go back, " +
      "new ones go to the trash, deleted or replaced ones come back from there. Each step " +
      "needs the permissions and the scope that you have now. Entries that have changed since " +
      "stay as they are and are in `failures`, as are entries whose former place is taken; " +
      "undo the job again to retry them. With nothing to undo, the call is 412 " +
      "`precondition_failed`.",
    token: "write",
    parameters: [jobParameter, parameterNamed("Prefer")],
    answers: { 200: json("The job was undone.", schemaNamed("Job")), 202: goesOn },
    refusals: ["not_found", "precondition_failed"],
    examples: `
$ JOB=$(curl -s $CUBBY/api/jobs -H "X-Auth: $TOKEN" -H 'Prefer: wait=10' --json '{"action": "copy", "entries": [{"path": "/notes.txt", "destination": "/copy.txt"}]}' | jq -r .id)
$ curl -s -X POST $CUBBY/api/jobs/$JOB/undo -H "X-Auth: $TOKEN" -H 'Prefer: wait=10' | jq -r .state
undone
$ curl -s -X POST $CUBBY/api/jobs/$JOB/undo -H "X-Auth: $TOKEN"
Cannot undo the job …
`,
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
