import type { Context, RouteConfig } from "fresh";
import type { ErrorCode } from "../../../lib/shared/errors.ts";
import { encodePath, type EntryPath } from "../../../lib/shared/path.ts";
import { heldBySearch } from "../../../lib/server/files/search/search.ts";
import type { State } from "../../../lib/server/http/define.ts";
import { describe } from "../../../lib/server/files/listing/describe.ts";
import { crossesDisks } from "../../../lib/server/files/transfer/start_transfer.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { answerByJob, preferenceOf } from "../../../lib/server/http/jobs/job_requests.ts";
import { reserveMemory } from "../../../lib/server/http/middleware/heavy_answers.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import {
  createOwn,
  removeOwn,
  saveOwn,
  transferOwn,
} from "../../../lib/server/http/request/own_changes.ts";
import {
  pathRoute,
  recursiveFolder,
  requestPath,
} from "../../../lib/server/http/request/request_path.ts";
import { transferOptions } from "../../../lib/server/http/request/transfer_options.ts";
import { wantsTrash } from "../../../lib/server/http/request/trash_requests.ts";
import {
  addLeftOut,
  jsonTextAnswer,
  textAnswer,
} from "../../../lib/server/http/response/answers.ts";
import { textBytesAnswer } from "../../../lib/server/http/response/download_answer.ts";
import {
  describeOptions,
  descriptionAnswer,
} from "../../../lib/server/http/response/resource_answers.ts";
import {
  binary,
  done,
  headerNamed,
  json,
  nothing,
  schemaNamed,
  text,
} from "../../../lib/server/http/openapi/answers.ts";
import {
  conditions,
  parameterNamed,
  windowParameters,
} from "../../../lib/server/http/openapi/parameters.ts";
import { badWrites, goesOn } from "../../../lib/server/http/openapi/parts/files.ts";
import type { RequestBody } from "../../../lib/server/http/openapi/types.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = {
  routeOverride: pathRoute("/api/resources/*?", "/api/resources/recursive"),
};

/** Errors of writing content into a file. */
const badContents: ErrorCode[] = [
  "invalid_path",
  "invalid_name",
  "invalid_option",
  "invalid_body",
  "not_a_file",
  "is_folder",
  "precondition_failed",
  ...badWrites,
];

const written = text("The file was written completely.", schemaNamed("Done"), {
  ETag: headerNamed("ETag"),
});

const moved = text("The entry was copied or moved completely.", schemaNamed("Done"), {
  "Content-Location": headerNamed("ContentLocation"),
  "Left-Out": headerNamed("LeftOut"),
  "Left-Out-Count": headerNamed("LeftOutCount"),
});

const content: RequestBody = {
  description: "The bytes of the file, of any type.",
  content: { "application/octet-stream": binary },
};

/** Entries: described, made, written, copied, moved and removed. */
export const handler = calls({
  GET: {
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
  },

  POST: {
    id: "create",
    tag: "Resources",
    summary: "Create a folder, or upload a file",
    description:
      "A path with a slash at the end creates the folder and its missing parents; a folder " +
      "that exists is fine. Any other path writes the body into a file, of any type and size. " +
      "An upload goes to a hidden temporary file and takes its name in one step when it is " +
      "complete: one that fails or breaks off leaves a former file as it was.\n\n" +
      "More than 256 missing parents are 400, as in every call that creates them. A folder at " +
      "the path of a file is 409 `is_folder`.\n\n" +
      "Needs the permission to create, and to modify where `override` replaces a file.",
    token: "write",
    parameters: [
      parameterNamed("Path"),
      parameterNamed("Override"),
      parameterNamed("UploadJob"),
      parameterNamed("IfMatch"),
    ],
    body: content,
    answers: {
      200: text("The folder exists, or the file was written completely.", schemaNamed("Done"), {
        ETag: headerNamed("FileTag"),
      }),
    },
    refusals: ["exists", ...badContents],
    examples: `
$ curl -i -X POST $CUBBY/api/resources/lists/2026/ -H "X-Auth: $TOKEN"
HTTP/1.1 200 OK
content-type: text/plain; charset=utf-8

OK

$ echo 'Mend the roof' > list.txt
$ curl -i --data-binary @list.txt $CUBBY/api/resources/lists/home.txt -H "X-Auth: $TOKEN"
HTTP/1.1 200 OK
content-type: text/plain; charset=utf-8
etag: "5y32s-e-mwqamsca"

OK

$ curl -i --data-binary @list.txt $CUBBY/api/resources/lists/home.txt -H "X-Auth: $TOKEN"
HTTP/1.1 409 Conflict
content-type: text/plain; charset=utf-8

Cannot write "/lists/home.txt": the name is taken

$ curl --data-binary @list.txt "$CUBBY/api/resources/lists/home.txt?override=true" -H "X-Auth: $TOKEN"
OK
`,
    async handle(ctx) {
      const etag = await createOwn(ctx);
      return textAnswer("OK\n", etag === null ? {} : { headers: { etag } });
    },
  },

  PUT: {
    id: "save",
    tag: "Resources",
    summary: "Replace the content of a file",
    description:
      "Writes as safely as an upload. With `encoding`, the body is text in UTF-8 and is " +
      "stored in that encoding; a character that the encoding does not have is refused. A " +
      "path with a slash at the end is 400.\n\n" +
      "Needs the permission to modify.",
    token: "write",
    parameters: [
      parameterNamed("Path"),
      parameterNamed("UploadJob"),
      parameterNamed("IfMatch"),
      {
        name: "encoding",
        in: "query",
        description: "The encoding to store the body in, which then is text in UTF-8: a value of " +
          "`encoding` of the resource, with `-bom` for a byte order mark. By default the " +
          "body is stored as it is. A character that the encoding does not have is refused, " +
          "and the file stays as it was.",
        schema: { type: "string" },
        example: "windows-1252",
      },
    ],
    body: content,
    answers: { 200: written },
    refusals: ["not_found", ...badContents],
    examples: `
$ curl -i -T list.txt $CUBBY/api/resources/lists/home.txt -H "X-Auth: $TOKEN"
HTTP/1.1 200 OK
content-type: text/plain; charset=utf-8
etag: "5y2fn-e-mwqamsdu"

OK

$ curl -T list.txt $CUBBY/api/resources/lists/none.txt -H "X-Auth: $TOKEN"
Cannot save "/lists/none.txt": it is not there
`,
    async handle(ctx) {
      const etag = await saveOwn(ctx);
      return textAnswer("OK\n", { headers: { etag } });
    },
  },

  PATCH: {
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
        description:
          "`true` picks another name when this one is taken: `sea(1).jpg`. Goes before " +
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
  },

  DELETE: {
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
        description:
          "`true` moves it to the trash, `false` deletes it permanently; otherwise the " +
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
      return isEmpty
        ? new Response(null, { status: 204, headers })
        : textAnswer("OK\n", { headers });
    },
  },
}, {
  "/api/resources/recursive/{path}": {
    GET: {
      id: "listTree",
      tag: "Resources",
      summary: "List everything below a folder",
      description:
        "Returns one array of all entries at every depth, each folder before its entries, sent " +
        "while the folders are read. Links to folders are listed but not entered. Entries that " +
        "a rule denies and hidden ones are left out.\n\n" +
        "This address is also that of an entry at the root called `recursive`, for GET alone. " +
        "HEAD describes that entry, and so does GET with any of `offset`, `limit`, `around`, " +
        "`startsWith`, `filter`, `sort`, `order` and `checksum`.",
      token: "read",
      parameters: [parameterNamed("Path")],
      answers: {
        200: {
          description: "All entries.",
          content: {
            "application/json": { schema: { type: "array", items: schemaNamed("TreeEntry") } },
          },
        },
      },
      refusals: ["invalid_path", "not_found", "busy"],
      examples: `
$ curl -s $CUBBY/api/resources/recursive/photos -H "X-Auth: $TOKEN" | jq -r .[0].isDir
false
$ curl "$CUBBY/api/resources/recursive?offset=0" -H "X-Auth: $TOKEN"
Cannot read "/recursive": it is not there
`,
    },
  },
});

/**
 * Answers with all entries below a folder, as one array that is sent while the folder is walked.
 */
async function treeAnswer(
  ctx: Context<State>,
  folder: EntryPath,
): Promise<Response> {
  const access = accessFor(ctx);
  access.folder(folder);
  await reserveMemory(ctx, heldBySearch);
  const { listingWorker } = ctx.state.cubby;
  const { signal } = ctx.req;
  const { stream } = await listingWorker.tree({ access, path: folder }, { signal });
  return jsonTextAnswer(stream.read());
}
