import type { ErrorCode } from "../../../shared/errors.ts";
import { json, nothing, text } from "../answers.ts";
import { call } from "../call.ts";
import { headerNamed } from "../headers.ts";
import { schemaNamed } from "../schemas.ts";
import { conditions, parameterNamed, windowParameters } from "../parameters.ts";
import { goesOn } from "./jobs.ts";
import type { PathItem, RequestBody } from "../types.ts";

const tag = "Resources";

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

const done = text("It is done.", schemaNamed("Done"));
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

/** The call that lists a whole tree. */
const tree: PathItem = {
  get: call({
    id: "listTree",
    tag,
    summary: "List everything below a folder",
    description:
      "One array of all entries at every depth, each folder before what is in it, sent as the " +
      "folders are read. Links to folders are listed, but not what is in them.\n\n" +
      'An entry at the root that is called "recursive" is described in place of this call by ' +
      "HEAD, and with any of `offset`, `limit`, `around`, `startsWith`, `sort`, `order` and " +
      "`checksum`.",
    auth: "cookie",
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
  }),
};

/** The calls that describe, create, write, copy, move and delete entries. */
export const resourceCalls: Record<string, PathItem> = {
  "/api/resources/{path}": {
    get: call({
      id: "describe",
      tag,
      summary: "Describe a file, or a folder with its entries",
      description:
        "Names come in natural order with their case folded. Entries that a rule denies, " +
        "hidden ones and links that leave the scope are neither listed nor counted.",
      auth: "cookie",
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
    }),

    post: call({
      id: "create",
      tag,
      summary: "Make a folder, or upload a file",
      description: "A path with a slash at the end makes a folder, and is fine with one that is " +
        "there; any other writes the body into a file. Missing parents are made. An upload takes " +
        "its name in one step when it is whole: one that fails leaves a former file as it was.\n\n" +
        "Needs the permission to create, and to modify where `override` replaces.",
      auth: "token",
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
    }),

    put: call({
      id: "save",
      tag,
      summary: "Write new content into a file that is there",
      description:
        "With the same care as an upload. Needs the permission to modify. A path with a " +
        "slash at the end is refused.",
      auth: "token",
      parameters: [
        parameterNamed("Path"),
        parameterNamed("UploadJob"),
        parameterNamed("IfMatch"),
        {
          name: "encoding",
          in: "query",
          description:
            "The body is text in UTF-8, and is kept in this encoding: as `encoding` of " +
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
    }),

    patch: call({
      id: "transfer",
      tag,
      summary: "Copy an entry, or give it another name or place",
      description:
        "Everything is judged before anything is done, at both ends and at every depth; " +
        "what fails half-way leaves the source as it was. A folder that replaces a folder is merged " +
        "into it. Copies keep content, permissions and times. Pipes, sockets and devices in a folder " +
        "are not copied, nor moved where their names are taken; the rest is, and `Left-Out` names them.\n\n" +
        "A copy needs the permission to create, a move the one to rename, and to create where it " +
        "makes missing parents; to replace needs modify as well.",
      auth: "token",
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
    }),

    delete: call({
      id: "remove",
      tag,
      summary: "Delete an entry, a folder with all that is in it",
      description:
        "Of a link the link goes, never what it leads to. A folder that holds anything " +
        "the user may not reach stays whole, and so does the scope's root (403).",
      auth: "token",
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
    }),
  },

  "/api/resources/recursive/{path}": tree,
};
