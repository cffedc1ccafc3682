import { encodePath } from "../../../../lib/shared/path.ts";
import { crossesDisks } from "../../../../lib/server/files/transfer/start_transfer.ts";
import type { Call } from "../../../../lib/server/http/calls.ts";
import { answerByJob, preferenceOf } from "../../../../lib/server/http/jobs/job_requests.ts";
import { accessFor } from "../../../../lib/server/http/request/access_for.ts";
import { transferOwn } from "../../../../lib/server/http/request/own_changes.ts";
import { requestPath } from "../../../../lib/server/http/request/request_path.ts";
import { transferOptions } from "../../../../lib/server/http/request/transfer_options.ts";
import { addLeftOut, textAnswer } from "../../../../lib/server/http/response/answers.ts";
import { headerNamed, schemaNamed, text } from "../../../../lib/server/http/openapi/answers.ts";
import { parameterNamed } from "../../../../lib/server/http/openapi/parameters.ts";
import { badWrites, goesOn } from "../../../../lib/server/http/openapi/parts/files.ts";

const moved = text("The entry was copied or moved completely.", schemaNamed("Done"), {
  "Content-Location": headerNamed("ContentLocation"),
  "Left-Out": headerNamed("LeftOut"),
  "Left-Out-Count": headerNamed("LeftOutCount"),
});

/** Copies, renames or moves an entry. */
export const transferEntry: Call = {
  id: "transfer",
  tag: "Resources",
  summary: "Copy, rename or move an entry",
  description: "If the name is taken, the call is 409, unless `rename=true` picks another name " +
    "(`shop(1).txt`), or `override=true` replaces a file and merges a folder into a folder. " +
    "`Content-Location` of the answer has the path of the entry. A copy or move into the " +
    "entry itself, or below it, is 400.\n\n" +
    "Everything is checked before anything is done, at both ends and at every depth: one " +
    "entry out of reach makes it 403 with nothing done. A failure half-way leaves the " +
    "source as it was. Copies keep content, permissions and times. Links are copied and " +
    "moved as links. Across disks a move copies, then deletes; it resumes after a restart " +
    "of the server. A replaced file is kept as a previous version. The answer is sent when " +
    "the result is safely on the disk.\n\n" +
    "Pipes, sockets and devices in a folder are not copied, and are not moved where their " +
    "names are taken; everything else is, and `Left-Out` names them. Such an entry alone is " +
    "403 `not_a_file`.\n\n" +
    "A copy needs the permission to create. A move needs the one to rename, and to create " +
    "where it creates missing parents. Replacing needs modify as well.",
  token: "write",
  parameters: [
    parameterNamed("Path"),
    {
      name: "action",
      in: "query",
      required: true,
      description: "`rename` moves, too; `move` says the same.",
      schema: { type: "string", enum: ["copy", "rename", "move"] },
    },
    {
      name: "destination",
      in: "query",
      required: true,
      description:
        "The new path itself, not the folder to put the entry into. Percent-encode it as " +
        "a path, and once more as a value of the query: `/v w/a` is sent as " +
        "`%2Fv%2520w%2Fa`. If the second decoding fails, as for `100%`, the result of the " +
        "first is used.",
      schema: { type: "string", minLength: 1 },
      example: "/photos/2026/sea%20and%20sky.jpg",
    },
    {
      name: "override",
      in: "query",
      description: "`true` replaces a file that has the name, and merges into a folder.",
      schema: { type: "boolean", default: false },
    },
    {
      name: "rename",
      in: "query",
      description: "`true` picks another name when this one is taken: `sea(1).jpg`. Goes before " +
        "`override`.",
      schema: { type: "boolean", default: false },
    },
    parameterNamed("Prefer"),
  ],
  answers: { 200: moved, 202: goesOn },
  refusals: [
    "invalid_path",
    "invalid_name",
    "invalid_option",
    "not_a_file",
    "not_found",
    "exists",
    "precondition_failed",
    "throttled",
    "not_supported",
    ...badWrites,
  ],
  examples: `
$ curl -X PATCH "$CUBBY/api/resources/notes.txt?action=copy&destination=/lists/shop.txt" -H "X-Auth: $TOKEN"
OK

$ curl -i -X PATCH "$CUBBY/api/resources/notes.txt?action=copy&destination=/lists/shop.txt" -H "X-Auth: $TOKEN"
HTTP/1.1 409 Conflict
content-type: text/plain; charset=utf-8

Cannot copy "/notes.txt": the destination already exists

$ curl -X PATCH "$CUBBY/api/resources/lists?action=rename&destination=/to%2520do" -H "X-Auth: $TOKEN"
OK
`,
  async handle(ctx) {
    const { path } = requestPath(ctx, "resources");
    const { action, ...options } = transferOptions(ctx.url);
    const isLong = preferenceOf(ctx.req).isAsync ||
      action === "move" && crossesDisks(accessFor(ctx), path, options.to);
    if (isLong) return await answerByJob(ctx, action, { path, ...options });
    const { arrived, leftOut } = await transferOwn(ctx, path, { action, ...options });
    const location = `${ctx.config.basePath}/api/resources${encodePath(arrived)}`;
    const headers = new Headers({ "content-location": location });
    addLeftOut(headers, path, leftOut);
    return textAnswer("OK\n", { headers });
  },
};
