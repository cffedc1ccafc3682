import type { ErrorCode } from "../../../shared/errors.ts";
import { json, nothing } from "../answers.ts";
import { call } from "../call.ts";
import { headerNamed } from "../headers.ts";
import type { Header, Parameter, PathItem } from "../types.ts";
import { closedShare as closed, proofs, sharedPath } from "./shares.ts";

const tag = "Shares";

function parameter(place: "header" | "query", name: string, description: string): Parameter {
  return { name, in: place, description, schema: { type: "string" } };
}

const upload = parameter("query", "upload", "The upload, from the address that began it.");

const state = {
  "Upload-Offset": headerNamed("UploadOffset"),
  "Upload-Length": headerNamed("UploadLength"),
  "Upload-Expires": headerNamed("UploadExpires"),
};

const place: Header = {
  description: "Where to go on with the upload; the share's token is not in it.",
  required: true,
  schema: { type: "string", pattern: "/api/public/tus/" },
};

const part = {
  description: "The next bytes of the file.",
  content: { "application/offset+octet-stream": {} },
};

/** Why a file that has all its bytes cannot get its name. */
const unnamed: ErrorCode[] = ["disk_full", "over_quota", "hook_failed", "locked"];

const badBytes: ErrorCode[] = ["invalid_option", "body_too_large", "wrong_content_type"];

/** The calls of those who name recipients of a share, and of recipients who add files to it. */
export const recipientCalls: Record<string, PathItem> = {
  "/api/recipients": {
    get: call({
      id: "findRecipients",
      tag,
      summary: "Find names of users and groups to share with",
      description:
        "For users who may share and download, where the setting `suggestNames` has it, and for " +
        "administrators; 60 times a minute. Users find the groups that they are in, administrators " +
        "all; none finds oneself.",
      auth: "cookie",
      parameters: [
        parameter("query", "query", "How names begin, in any case: two characters at least."),
      ],
      answers: {
        200: json("At most eight, by name; a group with an `@` before it.", {
          type: "array",
          items: { type: "string" },
        }),
      },
      refusals: ["throttled"],
    }),
  },

  "/api/public/tus/{path}": {
    get: call({
      id: "addedState",
      tag,
      summary: "Tell how much of an added file has come",
      description: "For HEAD, as tus has it; GET answers the same. An upload that has all its " +
        "bytes gets its name first, or the refusal is answered.",
      auth: "none",
      parameters: [sharedPath, upload, ...proofs],
      answers: { 200: nothing("An unfinished upload.", state) },
      refusals: [...closed, "precondition_failed", ...unnamed],
    }),
    post: call({
      id: "beginAdded",
      tag,
      summary: "Begin to add a file to a shared folder, by the tus protocol",
      description:
        "As `POST /api/tus/{path}`, for a session of a recipient who may `upload` or `edit`; the " +
        "path is that of a folder. The file gets a name that is free: nothing is replaced. It is " +
        "the owner's, whose permission to create, rules, hidden names and quota count.",
      auth: "none",
      parameters: [
        sharedPath,
        ...proofs,
        parameter("header", "Upload-Length", "The bytes of the whole file."),
        parameter(
          "header",
          "Upload-Metadata",
          "`filename` with its folders, and `lastModified`, each in base64.",
        ),
      ],
      body: part,
      answers: { 201: nothing("It has begun.", { Location: place, ...state }) },
      refusals: [...closed, ...badBytes, "invalid_name", "precondition_failed", ...unnamed],
    }),
    patch: call({
      id: "continueAdded",
      tag,
      summary: "Send the next bytes of an added file",
      auth: "none",
      parameters: [
        sharedPath,
        upload,
        ...proofs,
        parameter("header", "Upload-Offset", "How many bytes have come before."),
      ],
      body: part,
      answers: { 204: nothing("They have come; the file is there with the last ones.", state) },
      refusals: [...closed, ...badBytes, "wrong_offset", "precondition_failed", ...unnamed],
    }),
    delete: call({
      id: "dropAdded",
      tag,
      summary: "Drop an added file with all that has come of it",
      auth: "none",
      parameters: [sharedPath, upload, ...proofs],
      answers: { 204: nothing("It is gone.") },
      refusals: [...closed, "precondition_failed"],
    }),
  },
};
