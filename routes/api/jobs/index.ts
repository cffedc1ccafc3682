import { calls } from "../../../lib/server/http/calls.ts";
import { beginJob, begunJobAnswer, jobBody } from "../../../lib/server/http/jobs/job_requests.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { jobList } from "../../../lib/server/http/request/lists/account_lists.ts";
import { listAnswer } from "../../../lib/server/http/request/lists/list.ts";
import { json, list, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { listParameters, parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";
import { goesOn } from "../../../lib/server/http/openapi/parts/files.ts";

/** The user's own jobs, listed and begun. */
export const handler = calls({
  GET: {
    id: "listJobs",
    tag: "Resources",
    summary: "List your jobs",
    description:
      "The latest first, with empty `failures`. An API token sees the jobs that it has " +
      "started. The last hundred that have ended are kept, for 30 days; fewer if their " +
      "results exceed 96 MiB.",
    token: "read",
    parameters: listParameters("the name and the folders"),
    answers: { 200: list("The jobs.", schemaNamed("Job")) },
    refusals: ["invalid_option"],
    examples: `
$ curl -s $CUBBY/api/jobs -H "X-Auth: $TOKEN"
[]
`,
    async handle(ctx) {
      const { user, token } = signedInOf(ctx);
      return await listAnswer(ctx, jobList(await ctx.state.cubby.jobs.list(user.id, token?.id)));
    },
  },

  POST: {
    id: "beginJob",
    tag: "Resources",
    summary: "Start a job",
    description:
      "Entries are processed one after another. Each needs the permissions of its own call " +
      "and fails as that call would, with `path`, `code` and `message` in `failures`; the " +
      "others continue. The job is over when `ended` is not null.\n\n" +
      "`copy` and `move` need a `destination` for each entry. `trash` moves entries to the " +
      "trash, `delete` deletes them permanently. `archive` creates an archive of a folder, or " +
      "of `names` in it; `extract` creates a folder from an archive, or from `names` in it, " +
      "which are paths as `GET /api/archive/{path}` lists them; `checksum` computes digests. " +
      "Paths are not encoded and have at most 5,000 characters. Split a larger body into " +
      "several jobs.\n\n" +
      "A folder with pipes, sockets or devices is copied, moved or archived without them. It is in " +
      "`failures` with `not_a_file`: `leftOut` has the path of the `folder`, the `count` of " +
      "the entries left out, and the `first` paths below it. `partial` counts such folders " +
      "among `failed`.\n\n" +
      "In each serving thread four jobs of a user run at a time; further jobs are `queued`. " +
      "More than a hundred unfinished jobs, or more than 96 MiB of their entries and results, " +
      "are 429 `throttled`. `failures` has the first thousand.\n\n" +
      "The answer is 200 if the job ends within the time of `Prefer: wait=`, otherwise 202; " +
      "without `Prefer` it is mostly 202.",
    token: "write",
    parameters: [parameterNamed("Prefer")],
    body: jobBody,
    answers: { 200: json("The job is over.", schemaNamed("Job")), 202: goesOn },
    refusals: ["invalid_path", "throttled", "busy"],
    examples: `
$ JOB=$(curl -s $CUBBY/api/jobs -H "X-Auth: $TOKEN" -H 'Prefer: wait=10' --json '{"action": "copy", "entries": [{"path": "/notes.txt", "destination": "/backup/notes.txt"}]}' | jq -r .id)
$ curl -i $CUBBY/api/jobs -H "X-Auth: $TOKEN" -H 'Prefer: wait=10' --json '{"action": "trash", "entries": [{"path": "/backup"}, {"path": "/none"}]}'
HTTP/1.1 200 OK
content-type: application/json; charset=utf-8

{"id":"6f0c8b1e-52a4-4d0f-9a3b-7d1c2e3f4a5b","action":"trash","state":"done","began":"2026-11-23T09:00:00.000Z","ended":"2026-11-23T09:00:00.012Z","total":2,"done":2,"failed":1,"name":"backup","from":"/","to":null,"arrived":[],"failures":[{"path":"/none","code":"not_found","message":"Cannot delete \\"/none\\": it is not there"}],"checksums":[],"progress":{"size":0,"total":0,"entries":0,"bytes":0},"undo":"part"}
`,
    async handle(ctx) {
      const begun = await beginJob(ctx);
      return begun instanceof Response ? begun : await begunJobAnswer(ctx, begun);
    },
  },
});
