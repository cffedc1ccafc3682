import type { ErrorCode } from "../../../shared/errors.ts";
import { text } from "../answers.ts";
import { call } from "../call.ts";
import { headerNamed } from "../headers.ts";
import { parameterNamed } from "../parameters.ts";
import { schemaNamed } from "../schemas.ts";
import type { Header, Operation, Parameter } from "../types.ts";

const tag = "Shares";

/** The calls of a recipient, by what they have in common with those of visitors. */
interface SharedCalls {
  /** The parameters that open a share. */
  opening: Parameter[];
  /** Errors for those who may not, or not without a password. */
  closed: ErrorCode[];
}

const editors =
  "For a session of a recipient who may `edit`; it happens to the owner's files, and " +
  "needs the owner to have the permissions to create, modify, rename and delete. ";

/** Errors of writing to the disk. */
const badWrites: ErrorCode[] = ["read_only", "disk_full", "over_quota", "hook_failed"];

function place(description: string, call: string): { "Content-Location": Header } {
  const schema = { type: "string", pattern: `/api/public/${call}/` } as const;
  return { "Content-Location": { description, required: true, schema } };
}

const arrived = place("Where the entry is now, in the share.", "share");

/** The calls by which recipients change what is shared with them. */
export function sharedChanges(
  { opening, closed }: SharedCalls,
): Record<"post" | "put" | "patch" | "delete", Operation> {
  return {
    post: call({
      id: "makeSharedFolder",
      tag,
      summary: "Make a folder in what is shared",
      description: `${editors}Missing parents are made; a folder that is there is fine.`,
      auth: "none",
      parameters: opening,
      answers: { 200: text("The folder is there.", schemaNamed("Done")) },
      refusals: [...closed, "invalid_name", "exists", "read_only", "disk_full"],
    }),
    put: call({
      id: "saveShared",
      tag,
      summary: "Write new content into a file that is shared",
      description: `${editors}As \`PUT /api/resources/{path}\`: the former file is kept as a ` +
        "version of the owner's, where the settings keep them.",
      auth: "none",
      parameters: [...opening, parameterNamed("IfMatch")],
      body: {
        description: "The bytes of the file, of any type.",
        content: { "application/octet-stream": {} },
      },
      answers: {
        200: text("The file is there, whole.", schemaNamed("Done"), { ETag: headerNamed("ETag") }),
      },
      refusals: [
        ...closed,
        "invalid_name",
        "invalid_body",
        "not_a_file",
        "is_folder",
        "precondition_failed",
        ...badWrites,
      ],
    }),
    patch: call({
      id: "moveShared",
      tag,
      summary: "Give an entry another name or place in what is shared",
      description:
        `${editors}The shared entry itself stays where it is. A folder never takes the ` +
        "place of another.",
      auth: "none",
      parameters: [
        ...opening,
        {
          name: "action",
          in: "query",
          required: true,
          description: "`move` says the same.",
          schema: { type: "string", enum: ["rename", "move"] },
        },
        {
          name: "destination",
          in: "query",
          required: true,
          description:
            "The new path in what is shared, written as for `PATCH /api/resources/{path}`.",
          schema: { type: "string", minLength: 1 },
          example: "/2026/sea%20and%20sky.jpg",
        },
        parameterNamed("Override"),
        {
          name: "rename",
          in: "query",
          description: "`true` picks another name when this one is taken: `sea(1).jpg`.",
          schema: { type: "boolean", default: false },
        },
      ],
      answers: { 200: text("The entry is there, whole.", schemaNamed("Done"), arrived) },
      refusals: [
        ...closed,
        "invalid_name",
        "invalid_option",
        "exists",
        "not_supported",
        ...badWrites,
      ],
    }),
    delete: call({
      id: "removeShared",
      tag,
      summary: "Move an entry in what is shared to its owner's trash",
      description:
        `${editors}It never deletes for good: where a disk has no trash, the entry stays.`,
      auth: "none",
      parameters: opening,
      answers: {
        200: text(
          "It is in the trash.",
          schemaNamed("Done"),
          place("By which the same recipient puts it back.", "trash"),
        ),
      },
      refusals: [...closed, "read_only", "no_trash", "hook_failed"],
    }),
  };
}

/** The call that takes a deletion back. */
export function restoring({ opening: [, ...proofs], closed }: SharedCalls): Operation {
  return call({
    id: "restoreShared",
    tag,
    summary: "Put back what one has deleted in a share",
    description:
      `${editors}For the recipient who has deleted it, by the same share. Under another ` +
      "name, `a(1).txt`, where its own is taken by now; missing folders are made.",
    auth: "none",
    parameters: [
      {
        name: "path",
        in: "path",
        required: true,
        description: "The share's hash and the id, from `Content-Location` of the deletion.",
        schema: { type: "string" },
        example: "kf8Xn0Zb3cQ9yZ1tq7vL2A/0mb3k2x9q-5f0c1d2e3a4b5c6d",
      },
      ...proofs,
    ],
    answers: { 200: text("It is back.", schemaNamed("Done"), arrived) },
    refusals: [...closed, "exists", "read_only", "disk_full"],
  });
}
