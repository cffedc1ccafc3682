import type { ErrorCode } from "../../../shared/errors.ts";
import { nothing } from "../answers.ts";
import { call } from "../call.ts";
import { headerNamed, headers } from "../headers.ts";
import { parameterNamed } from "../parameters.ts";
import type { Parameter, PathItem } from "../types.ts";

const tag = "Resources";

const state = {
  "Upload-Offset": headerNamed("UploadOffset"),
  "Upload-Length": headerNamed("UploadLength"),
  "Upload-Expires": headerNamed("UploadExpires"),
  ETag: headerNamed("FileTag"),
};

function header(name: string, description: string, pattern: string, required = false): Parameter {
  return { name, in: "header", required, description, schema: { type: "string", pattern } };
}

const version = header("Tus-Resumable", "The version of the protocol: 1.0.0.", "^1\\.0\\.0$");

const checksum = header(
  "Upload-Checksum",
  "`md5`, `sha1` or `sha256` and, after a space, the digest of the body in base64.",
  "^(md5|sha1|sha256) [\\w+/]+={0,2}$",
);

/** A header that answers about folders lack. */
function optional(name: "UploadOffset" | "UploadLength") {
  return { ...headers[name], required: false };
}

/** Why an upload that has all its bytes cannot get its name. */
const unnamed: ErrorCode[] = [
  "exists",
  "read_only",
  "disk_full",
  "over_quota",
  "hook_failed",
  "locked",
];

/** Errors of bytes that are sent. */
const badBytes: ErrorCode[] = [
  "invalid_option",
  "invalid_body",
  "checksum_mismatch",
  "body_too_large",
  ...unnamed,
];

const part = {
  description: "The next bytes of the file.",
  content: { "application/offset+octet-stream": {} },
};

/** The calls of uploads that can go on where they were broken off. */
export const uploadCalls: Record<string, PathItem> = {
  "/api/tus/{path}": {
    get: call({
      id: "uploadState",
      tag,
      summary: "Tell how much of an upload has come",
      description: "For HEAD, as tus has it; GET answers the same. An upload that has all its " +
        "bytes gets its name first: where that is refused, so is this, and the bytes stay.",
      auth: "cookie",
      parameters: [parameterNamed("Path"), parameterNamed("UploadJob"), version],
      answers: { 200: nothing("An unfinished upload, or one that has its name now.", state) },
      refusals: ["invalid_path", "not_found", "precondition_failed", ...unnamed],
    }),

    post: call({
      id: "beginUpload",
      tag,
      summary: "Begin an upload that can go on where it is broken off",
      description:
        "By the tus protocol, version 1.0.0 (https://tus.io). There is one for each user " +
        "and path: another one begins anew. The bytes go to a hidden file; the name is taken with " +
        "the last one, in one step. A path with a slash at the end makes a folder. May bring the " +
        "first bytes.",
      auth: "token",
      parameters: [
        parameterNamed("Path"),
        parameterNamed("Override"),
        parameterNamed("UploadJob"),
        version,
        header("Upload-Length", "The bytes of the whole file.", "^\\d{1,15}$"),
        header(
          "Upload-Metadata",
          "Pairs of a name and a value in base64; `lastModified` is the time that the file is to " +
            "have, in milliseconds since 1970.",
          "^.*$",
        ),
        checksum,
      ],
      body: part,
      answers: {
        201: nothing("It has begun, or the folder is there.", {
          Location: headerNamed("UploadPlace"),
          "Upload-Offset": optional("UploadOffset"),
          "Upload-Length": optional("UploadLength"),
          "Upload-Expires": headerNamed("UploadExpires"),
          ETag: headerNamed("FileTag"),
        }),
      },
      refusals: [
        "invalid_path",
        "invalid_name",
        "not_a_file",
        "is_folder",
        "precondition_failed",
        ...badBytes,
      ],
    }),

    patch: call({
      id: "continueUpload",
      tag,
      summary: "Send the next bytes of an upload",
      description: "What has come counts, also when the connection breaks; with a checksum, only " +
        "what came undamaged. Ends a request that has sent the same upload so far. An empty part " +
        "at the end of an upload that has all its bytes tries again to give it its name.",
      auth: "token",
      parameters: [
        parameterNamed("Path"),
        parameterNamed("Override"),
        {
          name: "rename",
          in: "query",
          description:
            "`true` keeps both where the name is taken at the end: the new file's has a " +
            "number.",
          schema: { type: "boolean", default: false },
        },
        parameterNamed("UploadJob"),
        version,
        header("Upload-Offset", "How many bytes have come before.", "^\\d{1,15}$", true),
        checksum,
      ],
      body: part,
      answers: {
        204: nothing("They have come; the file is there with the last ones.", {
          ...state,
          "Content-Location": { ...headers.ContentLocation, required: false },
        }),
      },
      refusals: [
        "invalid_path",
        "not_found",
        "wrong_offset",
        "wrong_content_type",
        "precondition_failed",
        ...badBytes,
      ],
    }),

    delete: call({
      id: "dropUpload",
      tag,
      summary: "Drop an upload with all that has come",
      auth: "token",
      parameters: [parameterNamed("Path"), version],
      answers: { 204: nothing("It is gone.") },
      refusals: ["invalid_path", "not_found", "precondition_failed", "locked"],
    }),
  },
};
