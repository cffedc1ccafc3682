import type { Call } from "../../../../lib/server/http/calls.ts";
import { answerByJob, preferenceOf } from "../../../../lib/server/http/jobs/job_requests.ts";
import { removeOwn } from "../../../../lib/server/http/request/own_changes.ts";
import { requestPath } from "../../../../lib/server/http/request/request_path.ts";
import { wantsTrash } from "../../../../lib/server/http/request/trash_requests.ts";
import { textAnswer } from "../../../../lib/server/http/response/answers.ts";
import { done, headerNamed, nothing } from "../../../../lib/server/http/openapi/answers.ts";
import { parameterNamed } from "../../../../lib/server/http/openapi/parameters.ts";
import { goesOn } from "../../../../lib/server/http/openapi/parts/files.ts";

/** Deletes an entry, or moves it to the trash. */
export const removeEntry: Call = {
  id: "remove",
  tag: "Resources",
  summary: "Delete a file, a link, or a folder with its entries",
  description:
    "Deletes a link, never its target. A folder that contains anything you may not reach " +
    "stays whole (403), and so does the root of the scope. The shares of the entry end; restored " +
    "from the trash, it has them again.\n\n" +
    "`trash=true` moves the entry to your trash, by one rename whatever it contains; " +
    "`Content-Location` has its address there. `trash=false` deletes permanently. Without " +
    "either the setting `trash.byDefault` decides, which is off by default. A disk that can " +
    "have no trash, such as one that may hang, is 501 `no_trash`, and nothing is done.",
  token: "write",
  parameters: [
    parameterNamed("Path"),
    {
      name: "trash",
      in: "query",
      description: "`true` moves it to the trash, `false` deletes it permanently; otherwise the " +
        "settings decide.",
      schema: { type: "boolean" },
    },
    parameterNamed("Prefer"),
  ],
  answers: {
    200: { ...done, headers: { "Content-Location": headerNamed("TrashPlace") } },
    202: goesOn,
    204: nothing("Done, on a server with `--api-compat 2.63`.", {
      "Content-Location": headerNamed("TrashPlace"),
    }),
  },
  refusals: [
    "invalid_path",
    "not_found",
    "precondition_failed",
    "throttled",
    "read_only",
    "no_trash",
    "hook_failed",
  ],
  examples: `
$ curl -i -X DELETE "$CUBBY/api/resources/to%20do/2026/" -H "X-Auth: $TOKEN"
HTTP/1.1 200 OK
content-type: text/plain; charset=utf-8

OK

$ curl -X DELETE $CUBBY/api/resources/ -H "X-Auth: $TOKEN"
Cannot delete "/": it is the root of the scope
`,
  async handle(ctx) {
    const { path } = requestPath(ctx, "resources");
    if (preferenceOf(ctx.req).isAsync) {
      return await answerByJob(ctx, wantsTrash(ctx) ? "trash" : "delete", { path, to: null });
    }
    const id = await removeOwn(ctx, path);
    const headers = new Headers();
    if (id !== null) headers.set("content-location", `${ctx.config.basePath}/api/trash/${id}`);
    const isEmpty = ctx.state.cubby.config.apiCompat === "2.63";
    return isEmpty ? new Response(null, { status: 204, headers }) : textAnswer("OK\n", { headers });
  },
};
