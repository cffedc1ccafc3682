import type { RouteConfig } from "fresh";
import { calls } from "../../../lib/server/http/calls.ts";
import { uploadJobOption } from "../../../lib/server/http/jobs/job_requests.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { pathRoute, requestPath } from "../../../lib/server/http/request/request_path.ts";
import {
  manyFilesBody,
  readFiles,
  writeFiles,
} from "../../../lib/server/http/request/uploads/many_files.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { binary, json, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";

/** With and without a trailing slash. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/uploads/*?") };

/** Many small files, uploaded in one request. */
export const handler = calls({
  POST: {
    id: "uploadMany",
    tag: "Resources",
    summary: "Upload many small files into a folder",
    description:
      "Each file is an upload of its own, as by `POST /api/resources/{path}`: with its own " +
      "permissions, rules, hooks, quota and previous versions, and with its own answer. It is safely " +
      "on the disk when the request is answered. Nothing is written before the whole body has " +
      "arrived.\n\n" +
      "Each of `files` has the `path` below the folder, not encoded, and the `size` in bytes; " +
      "missing folders are created. It may have:\n\n" +
      "- `modified`: the time of the file, in milliseconds since 1970\n" +
      "- `sha256`: the digest of its bytes in hexadecimal digits, to be verified\n" +
      "- `override`: `true` replaces a file of that name\n" +
      "- `resent`: `true` when an earlier request, whose answer was lost, may have written it: a " +
      "file that is there with the same bytes, and the time `modified` if that is given, counts as " +
      "written. That needs the permission to download.",
    token: "write",
    parameters: [parameterNamed("Path"), parameterNamed("UploadJob")],
    body: {
      description: manyFilesBody,
      required: true,
      content: { "application/octet-stream": binary },
    },
    answers: { 200: json("What became of each file.", schemaNamed("ReceivedFiles")) },
    refusals: [
      "invalid_path",
      "invalid_option",
      "invalid_json",
      "invalid_body",
      "body_too_large",
      "busy",
    ],
    examples: `
$ echo '{"files": [{"path": "a.txt", "size": 0}, {"path": "more/b.txt", "size": 0}]}' > files
$ curl -s --data-binary @files $CUBBY/api/uploads/lists/ -H "X-Auth: $TOKEN" | jq -r .files[0].status
200
$ curl -s --data-binary @files $CUBBY/api/uploads/lists/ -H "X-Auth: $TOKEN" | jq -r .files[1].message
Cannot write "/lists/more/b.txt": the name is taken
`,
    async handle(ctx) {
      const { path } = requestPath(ctx, "uploads");
      uploadJobOption(ctx.url.searchParams);
      accessFor(ctx).need("Cannot upload", "create");
      const files = await readFiles(ctx);
      return jsonAnswer({ files: await writeFiles(ctx, path, files) });
    },
  },
});
