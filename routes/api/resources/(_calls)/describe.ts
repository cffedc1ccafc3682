import { describe } from "../../../../lib/server/files/listing/describe.ts";
import type { Call } from "../../../../lib/server/http/calls.ts";
import { accessFor } from "../../../../lib/server/http/request/access_for.ts";
import { recursiveFolder, requestPath } from "../../../../lib/server/http/request/request_path.ts";
import { textBytesAnswer } from "../../../../lib/server/http/response/download_answer.ts";
import {
  describeOptions,
  descriptionAnswer,
} from "../../../../lib/server/http/response/resource_answers.ts";
import {
  headerNamed,
  json,
  nothing,
  schemaNamed,
} from "../../../../lib/server/http/openapi/answers.ts";
import {
  conditions,
  parameterNamed,
  windowParameters,
} from "../../../../lib/server/http/openapi/parameters.ts";
import { treeAnswer } from "./list_tree.ts";

/** Describes an entry, as listings do. */
export const describeEntry: Call = {
  id: "describe",
  tag: "Resources",
  summary: "Get a file, or a folder with its entries",
  description:
    "Folders come first, and names are in natural order with their case folded. `numDirs` " +
    "and `numFiles` count the whole folder. Entries that a rule denies, hidden ones and " +
    "links that leave the scope are neither listed nor counted. `readOnly` is true where " +
    "nothing can be changed, whatever the permissions: in a read-only root, and in the " +
    "folder that contains the named roots.\n\n" +
    "A text file of up to 10 MiB has its text as `content`, with its `encoding` and " +
    "`lineEnding`. Content and checksums need the permission to download. Only files have " +
    "an `ETag`.",
  token: "read",
  parameters: [parameterNamed("Path"), ...windowParameters, ...conditions],
  answers: {
    200: json("The entry.", schemaNamed("Resource"), { ETag: headerNamed("FileTag") }),
    304: nothing("Not modified.", { ETag: headerNamed("ETag") }),
  },
  refusals: [
    "invalid_path",
    "invalid_option",
    "not_a_file",
    "not_found",
    "precondition_failed",
    "busy",
  ],
  examples: `
$ curl -s "$CUBBY/api/resources/photos/?offset=1&limit=1&sort=name&order=asc" -H "X-Auth: $TOKEN" | jq
{
  "name": "photos",
  "path": "/photos",
  "isDir": true,
  "isSymlink": false,
  "type": "listing",
  "size": 4096,
  "modified": "2026-11-21T10:56:58.958Z",
  "extension": "",
  "mode": 493,
  "items": [
    {
      "name": "sky, blue.jpg",
      "path": "/photos/sky, blue.jpg",
      "isDir": false,
      "isSymlink": false,
      "type": "image",
      "size": 11,
      "modified": "2026-11-21T10:56:58.958Z",
      "extension": ".jpg",
      "mode": 420
    }
  ],
  "numDirs": 0,
  "numFiles": 2,
  "sorting": {
    "by": "name",
    "asc": true
  }
}
$ curl -i "$CUBBY/api/resources/notes.txt?checksum=sha256" -H "X-Auth: $TOKEN"
HTTP/1.1 200 OK
content-type: application/json; charset=utf-8
etag: "5y2ip-9-mwqamnv2"

{"name":"notes.txt","path":"/notes.txt","isDir":false,"isSymlink":false,"type":"text","size":9,"modified":"2026-11-21T10:56:58.958Z","extension":".txt","mode":420,"checksums":{"sha256":"7523b432404cfc803342c8bca9adf01654739035136324d682f62e646dd9245e"}}
`,
  async handle(ctx) {
    const { path } = requestPath(ctx, "resources");
    const folder = recursiveFolder(ctx, path);
    if (folder) return await treeAnswer(ctx, folder);
    const access = accessFor(ctx);
    const asBytes = ctx.state.cubby.config.apiCompat === "2.63" && ctx.req.method === "GET" &&
      ctx.req.headers.get("x-encoding") === "true";
    const options = describeOptions(ctx);
    if (asBytes) options.content = false;
    const description = await describe(access, ctx.state.cubby, path, options);
    const isText = description.kind === "resource" && description.resource.type === "text";
    if (asBytes && isText) return await textBytesAnswer(ctx, access, path);
    return await descriptionAnswer(ctx, description);
  },
};
