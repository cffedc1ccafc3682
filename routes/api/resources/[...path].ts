import type { Context, RouteConfig } from "fresh";
import { DomainError, type ErrorCode } from "../../../lib/shared/errors.ts";
import { encodePath, type EntryPath } from "../../../lib/shared/path.ts";
import type { State } from "../../../lib/server/define.ts";
import { saveText } from "../../../lib/server/files/content/save_text.ts";
import { describe } from "../../../lib/server/files/listing/describe.ts";
import { makeFolder } from "../../../lib/server/files/make_folder.ts";
import { removeEntry } from "../../../lib/server/files/remove.ts";
import { LeftOutNote } from "../../../lib/server/files/transfer/progress.ts";
import {
  copyEntry,
  crossesDisks,
  moveEntry,
} from "../../../lib/server/files/transfer/start_transfer.ts";
import { saveFile, uploadFile } from "../../../lib/server/files/upload/upload.ts";
import { transferHooks } from "../../../lib/server/hooks/hooks.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import {
  answerByJob,
  notedUpload,
  preferenceOf,
} from "../../../lib/server/http/jobs/job_requests.ts";
import { reserveMemory } from "../../../lib/server/http/middleware/heavy_answers.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { accessFor, rightsConfirmed } from "../../../lib/server/http/request/access_for.ts";
import { noteMade } from "../../../lib/server/http/request/activities.ts";
import { assertUnlocked, hooked } from "../../../lib/server/http/request/hooked.ts";
import { noteUse } from "../../../lib/server/http/request/place_requests.ts";
import { flagOption } from "../../../lib/server/http/request/query.ts";
import { recursiveFolder } from "../../../lib/server/http/request/recursive_folder.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import {
  transferOptions,
  uploadOptions,
} from "../../../lib/server/http/request/transfer_options.ts";
import { wantsTrash } from "../../../lib/server/http/request/trash_requests.ts";
import { modifiedOption } from "../../../lib/server/http/request/uploads/tus.ts";
import { jsonTextAnswer, textAnswer } from "../../../lib/server/http/response/answers.ts";
import { addLeftOut } from "../../../lib/server/http/response/left_out_headers.ts";
import {
  describeOptions,
  descriptionAnswer,
} from "../../../lib/server/http/response/resource_answers.ts";
import { done, json, nothing, text } from "../../../lib/server/openapi/answers.ts";
import { headerNamed } from "../../../lib/server/openapi/headers.ts";
import {
  conditions,
  parameterNamed,
  windowParameters,
} from "../../../lib/server/openapi/parameters.ts";
import { goesOn } from "../../../lib/server/openapi/parts/jobs.ts";
import { schemaNamed } from "../../../lib/server/openapi/references.ts";
import type { RequestBody } from "../../../lib/server/openapi/types.ts";
import { heldBySearch } from "../../../lib/server/search/search.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/resources{/*}?" };

/** Errors of writing to the disk. */
const badWrites: ErrorCode[] = ["read_only", "disk_full", "over_quota", "hook_failed"];

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

const written = text("The file is there, whole.", schemaNamed("Done"), {
  ETag: headerNamed("ETag"),
});

const moved = text("The entry is there, whole.", schemaNamed("Done"), {
  "Content-Location": headerNamed("ContentLocation"),
  "Left-Out": headerNamed("LeftOut"),
  "Left-Out-Count": headerNamed("LeftOutCount"),
});

const content: RequestBody = {
  description: "The bytes of the file, of any type.",
  content: { "application/octet-stream": {} },
};

/** Entries: described, made, written, copied, moved and removed. */
export const handler = calls({
  GET: {
    id: "describe",
    tag: "Resources",
    summary: "Describe a file, or a folder with its entries",
    description:
      "Names come in natural order with their case folded. Entries that a rule denies, " +
      "hidden ones and links that leave the scope are neither listed nor counted.",
    token: "read",
    parameters: [parameterNamed("Path"), ...windowParameters, ...conditions],
    answers: {
      200: json("The entry.", schemaNamed("Resource"), { ETag: headerNamed("FileTag") }),
      304: nothing("The file is the one that the client has.", { ETag: headerNamed("ETag") }),
    },
    refusals: [
      "invalid_path",
      "invalid_option",
      "not_a_file",
      "not_found",
      "precondition_failed",
      "busy",
    ],
    async handle(ctx) {
      const { path } = requestPath(ctx, "resources");
      const folder = recursiveFolder(ctx, path);
      if (folder) return await treeAnswer(ctx, folder);
      const description = await describe(
        accessFor(ctx),
        ctx.state.cubby,
        path,
        describeOptions(ctx),
      );
      return await descriptionAnswer(ctx, description);
    },
  },

  POST: {
    id: "create",
    tag: "Resources",
    summary: "Make a folder, or upload a file",
    description: "A path with a slash at the end makes a folder, and is fine with one that is " +
      "there; any other writes the body into a file. Missing parents are made. An upload takes " +
      "its name in one step when it is whole: one that fails leaves a former file as it was.\n\n" +
      "Needs the permission to create, and to modify where `override` replaces.",
    token: "write",
    parameters: [
      parameterNamed("Path"),
      parameterNamed("Override"),
      parameterNamed("UploadJob"),
      parameterNamed("IfMatch"),
    ],
    body: content,
    answers: {
      200: text("The folder is there, or the file, whole.", schemaNamed("Done"), {
        ETag: headerNamed("FileTag"),
      }),
    },
    refusals: ["exists", ...badContents],
    async handle(ctx) {
      const { path, folder } = requestPath(ctx, "resources");
      const access = accessFor(ctx);
      const { formerFiles, note, noteFolder } = notedUpload(ctx, path);
      if (folder) {
        if (await makeFolder(access, path)) {
          noteMade(ctx, access, path);
          await noteFolder();
        }
        return textAnswer("OK\n");
      }
      const override = flagOption(ctx.url.searchParams, "override");
      const modified = modifiedOption(ctx.url.searchParams);
      const replaces = override && access.may("modify");
      const file = () => access.create(path).real;
      const upload = { event: "upload", access, path, file } as const;
      const confirm = rightsConfirmed(
        ctx,
        (now) => replaces ? now.replace(path) : now.create(path),
        () => assertUnlocked(ctx, upload),
      );
      const options = { ...uploadOptions(ctx.req), override, modified, formerFiles, confirm };
      const { etag } = await hooked(ctx, upload, () => uploadFile(access, path, ctx.req, options));
      await note(etag);
      noteUse(ctx, path, "uploaded");
      return textAnswer("OK\n", { headers: { etag } });
    },
  },

  PUT: {
    id: "save",
    tag: "Resources",
    summary: "Write new content into a file that is there",
    description: "With the same care as an upload. Needs the permission to modify. A path with a " +
      "slash at the end is refused.",
    token: "write",
    parameters: [
      parameterNamed("Path"),
      parameterNamed("UploadJob"),
      parameterNamed("IfMatch"),
      {
        name: "encoding",
        in: "query",
        description: "The body is text in UTF-8, and is kept in this encoding: as `encoding` of " +
          "the resource tells it, with `-bom` for a byte order mark. Without it, the body is kept " +
          "as it comes. A character that the encoding does not have is refused, and the file stays " +
          "as it was.",
        schema: { type: "string" },
        example: "windows-1252",
      },
    ],
    body: content,
    answers: { 200: written },
    refusals: ["not_found", ...badContents],
    async handle(ctx) {
      const { path, folder } = requestPath(ctx, "resources");
      const access = accessFor(ctx);
      if (folder) {
        // Denied paths are refused as such first, however they are spelled.
        access.create(path);
        const reason = "a path with a slash at its end is a folder's";
        throw new DomainError("invalid_path", `Cannot save "${path}": ${reason}`);
      }
      const file = () => access.modify(path).real;
      const encoding = ctx.url.searchParams.get("encoding");
      const { formerFiles, note } = notedUpload(ctx, path);
      const save = { event: "save", access, path, file } as const;
      const confirm = rightsConfirmed(
        ctx,
        (now) => now.modify(path),
        () => assertUnlocked(ctx, save),
      );
      const options = { ...uploadOptions(ctx.req), formerFiles, confirm };
      const { etag } = await hooked(
        ctx,
        save,
        () =>
          encoding === null
            ? saveFile(access, path, ctx.req, options)
            : saveText(access, path, ctx.req.body, encoding, options),
      );
      await note(etag);
      noteUse(ctx, path, "changed");
      return textAnswer("OK\n", { headers: { etag } });
    },
  },

  PATCH: {
    id: "transfer",
    tag: "Resources",
    summary: "Copy an entry, or give it another name or place",
    description: "Everything is judged before anything is done, at both ends and at every depth; " +
      "what fails half-way leaves the source as it was. A folder that replaces a folder is merged " +
      "into it. Copies keep content, permissions and times. Pipes, sockets and devices in a folder " +
      "are not copied, nor moved where their names are taken; the rest is, and `Left-Out` names them.\n\n" +
      "A copy needs the permission to create, a move the one to rename, and to create where it " +
      "makes missing parents; to replace needs modify as well.",
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
          "The new path itself, not the folder to put the entry into. It is percent-encoded as " +
          "a path, and once more as a value of the query: `/v w/a` is sent as " +
          "`%2Fv%2520w%2Fa`. Where it cannot be decoded a second time, the first stands.",
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
    async handle(ctx) {
      const { path } = requestPath(ctx, "resources");
      const { action, to, ...options } = transferOptions(ctx.url);
      const { transferWorker, observers, trash } = ctx.state.cubby;
      const access = accessFor(ctx);
      const isLong = preferenceOf(ctx.req).isAsync ||
        action === "move" && crossesDisks(access, path, to);
      if (isLong) return await answerByJob(ctx, action, { path, to, ...options });
      const formerFiles = trash.formerFilesOf(signedInOf(ctx).user.id);
      const transfer = action === "copy" ? copyEntry : moveEntry;
      const note = new LeftOutNote();
      const { report } = note;
      const terms = { ...options, observers, formerFiles, report, signal: ctx.req.signal };
      const arrived = await hooked(
        ctx,
        transferHooks(access, action, path, to),
        () => transfer(access, transferWorker, path, to, terms),
      );
      const location = `${ctx.config.basePath}/api/resources${encodePath(arrived)}`;
      const headers = new Headers({ "content-location": location });
      addLeftOut(headers, path, note.leftOut);
      return textAnswer("OK\n", { headers });
    },
  },

  DELETE: {
    id: "remove",
    tag: "Resources",
    summary: "Delete an entry, a folder with all that is in it",
    description: "Of a link the link goes, never what it leads to. A folder that holds anything " +
      "the user may not reach stays whole, and so does the scope's root (403).",
    token: "write",
    parameters: [
      parameterNamed("Path"),
      {
        name: "trash",
        in: "query",
        description: "`true` moves it to the trash, `false` deletes it for good; otherwise the " +
          "settings decide.",
        schema: { type: "boolean" },
      },
      parameterNamed("Prefer"),
    ],
    answers: {
      200: { ...done, headers: { "Content-Location": headerNamed("TrashPlace") } },
      202: goesOn,
      204: nothing("It is done, by a server with `--api-compat 2.63`.", {
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
    async handle(ctx) {
      const { path } = requestPath(ctx, "resources");
      const { config, listingWorker, observers, trash } = ctx.state.cubby;
      const access = accessFor(ctx);
      const { signal } = ctx.req;
      if (preferenceOf(ctx.req).isAsync) {
        return await answerByJob(ctx, wantsTrash(ctx) ? "trash" : "delete", { path, to: null });
      }
      const headers = new Headers();
      const remove = async () => {
        if (!wantsTrash(ctx)) {
          return await removeEntry(access, listingWorker, path, signal, observers);
        }
        const { id } = await trash.discard(access, signedInOf(ctx).user.id, path, signal);
        headers.set("content-location", `${ctx.config.basePath}/api/trash/${id}`);
      };
      const file = () => access.remove(path).real;
      const action = wantsTrash(ctx) ? "trash" : "delete";
      await hooked(ctx, { event: "delete", action, access, path, file }, remove);
      const isEmpty = config.apiCompat === "2.63";
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
        "One array of all entries at every depth, each folder before what is in it, sent as the " +
        "folders are read. Links to folders are listed, but not what is in them.\n\n" +
        'An entry at the root that is called "recursive" is described in place of this call by ' +
        "HEAD, and with any of `offset`, `limit`, `around`, `startsWith`, `sort`, `order` and " +
        "`checksum`.",
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
    },
  },
});

/**
 * Answers with all entries below a folder, as one array that is sent while the folder is walked.
 */
async function treeAnswer(ctx: Context<State>, folder: EntryPath): Promise<Response> {
  const access = accessFor(ctx);
  access.folder(folder);
  await reserveMemory(ctx, heldBySearch);
  const { listingWorker } = ctx.state.cubby;
  return jsonTextAnswer(await listingWorker.tree(access, folder, ctx.req.signal));
}
