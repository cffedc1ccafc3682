import type { ErrorCode } from "../../../shared/errors.ts";
import { json, list, nothing, text } from "../answers.ts";
import { call } from "../call.ts";
import { headerNamed } from "../headers.ts";
import { badJson, captchaProof, jsonBody } from "../json_body.ts";
import { listParameters, parameterNamed } from "../parameters.ts";
import { fileRequest, schemaNamed } from "../schemas.ts";
import type { Header, Parameter, PathItem } from "../types.ts";

const tag = "Shares";

const request = schemaNamed("FileRequest");
const requests = list("They come in no order that means anything.", request);

function inPath(name: string, description: string, example: string): Parameter {
  return { name, in: "path", required: true, description, schema: { type: "string" }, example };
}

function header(name: string, description: string): Parameter {
  return { name, in: "header", description, schema: { type: "string" } };
}

const hash = inPath("hash", "The request's hash.", "kf8Xn0Zb3cQ9yZ1tq7vL2A");
const id = inPath("id", "The upload's id, which its sender alone knows.", "Zb3cQ9yZ1tq7vL2Akf8Xn0");
const token = header("X-Request-Token", "From the answer that let the visitor in.");

/** Why a file that has all its bytes cannot get its name. */
const unnamed: ErrorCode[] = ["forbidden", "disk_full", "over_quota", "hook_failed", "locked"];

const state = {
  "Upload-Offset": headerNamed("UploadOffset"),
  "Upload-Length": headerNamed("UploadLength"),
  "Upload-Expires": headerNamed("UploadExpires"),
};

const place: Header = {
  description: "Where to go on with the upload.",
  required: true,
  schema: { type: "string", pattern: "/api/public/request/" },
};

const part = {
  description: "The next bytes of the file.",
  content: { "application/offset+octet-stream": {} },
};

/** The calls about requests for files, and those of their visitors. */
export const requestCalls: Record<string, PathItem> = {
  "/api/requests": {
    get: call({
      id: "listRequests",
      tag,
      summary: "List one's own requests for files, or all of them for administrators",
      description: "Administrators see the `username` of each owner.",
      auth: "cookie",
      parameters: [
        ...listParameters("the path and the title"),
        {
          name: "own",
          in: "query",
          description: "`true` lists one's own alone, for administrators, too.",
          schema: { type: "boolean", default: false },
        },
      ],
      answers: { 200: requests },
      refusals: ["invalid_option"],
    }),
  },

  "/api/request/{path}": {
    get: call({
      id: "listRequestsOf",
      tag,
      summary: "List one's own requests for a folder, or everybody's for administrators",
      auth: "cookie",
      parameters: [parameterNamed("Path"), ...listParameters("the path and the title")],
      answers: { 200: requests },
      refusals: ["invalid_path", "invalid_option", "not_found"],
    }),
    post: call({
      id: "requestFiles",
      tag,
      summary: "Request files for a folder",
      description: "Needs the permissions to share and to create.",
      auth: "token",
      parameters: [parameterNamed("Path")],
      body: jsonBody(fileRequest, []),
      answers: { 200: json("The request.", request) },
      refusals: [...badJson, "invalid_path", "invalid_password", "not_found"],
    }),
    patch: call({
      id: "changeRequest",
      tag,
      summary: "Change a request",
      description:
        "Its hash stands in the place of the path. What is absent stays. For its owner and " +
        "administrators. Tokens of visitors are void then.",
      auth: "token",
      parameters: [parameterNamed("Path")],
      body: jsonBody(fileRequest, []),
      answers: { 200: json("The request as it is now.", request) },
      refusals: [...badJson, "invalid_path", "invalid_password", "not_found"],
    }),
    delete: call({
      id: "endRequest",
      tag,
      summary: "End a request",
      description: "Its hash stands in the place of the path. What has arrived stays.",
      auth: "token",
      parameters: [parameterNamed("Path")],
      answers: { 200: text("It is gone.", schemaNamed("Empty")) },
      refusals: ["invalid_path", "not_found"],
    }),
  },

  "/api/public/request/{hash}": {
    post: call({
      id: "openRequest",
      tag,
      summary: "Let a visitor in who has the link, and the password",
      description: "403 when the owner is gone, or may not ask for files any more.",
      auth: "none",
      parameters: [hash],
      body: jsonBody({
        password: { type: "string", description: "Where the request has one." },
        recaptcha: captchaProof,
      }, []),
      answers: { 200: json("What is asked for, and a token.", schemaNamed("OpenRequest")) },
      refusals: [
        ...badJson,
        "password_required",
        "wrong_credentials",
        "not_found",
        "throttled",
      ],
    }),
  },

  "/api/public/request/{hash}/files": {
    post: call({
      id: "beginReceived",
      tag,
      summary: "Begin to send a file, by the tus protocol",
      description:
        "As `POST /api/tus/{path}`, without a path: the server chooses a free name, and does not " +
        "tell it. 403 also when as many files have come as are taken.",
      auth: "none",
      parameters: [
        hash,
        token,
        header("Upload-Length", "The bytes of the whole file."),
        header(
          "Upload-Metadata",
          "`filename` with its folders, `sender` and `lastModified`, each in base64.",
        ),
      ],
      body: part,
      answers: {
        201: nothing("It has begun.", { Location: place, ...state }),
      },
      refusals: [
        "invalid_option",
        "password_required",
        "not_found",
        "precondition_failed",
        "body_too_large",
        "wrong_content_type",
        "busy",
        ...unnamed,
      ],
    }),
  },

  "/api/public/request/{hash}/files/{id}": {
    get: call({
      id: "receivedState",
      tag,
      summary: "Tell how much of a visitor's upload has come",
      description: "For HEAD, as tus has it; GET answers the same. An upload that has all its " +
        "bytes gets its name first, or the refusal is answered.",
      auth: "none",
      parameters: [hash, id, token],
      answers: { 200: nothing("An unfinished upload.", state) },
      refusals: ["password_required", "not_found", "precondition_failed", ...unnamed],
    }),
    patch: call({
      id: "continueReceived",
      tag,
      summary: "Send the next bytes of a visitor's upload",
      auth: "none",
      parameters: [hash, id, token, header("Upload-Offset", "How many bytes have come before.")],
      body: part,
      answers: { 204: nothing("They have come; the file is there with the last ones.", state) },
      refusals: [
        "invalid_option",
        "password_required",
        "not_found",
        "wrong_offset",
        "precondition_failed",
        "body_too_large",
        "wrong_content_type",
        ...unnamed,
      ],
    }),
    delete: call({
      id: "dropReceived",
      tag,
      summary: "Drop a visitor's upload with all that has come",
      auth: "none",
      parameters: [hash, id, token],
      answers: { 204: nothing("It is gone.") },
      refusals: ["password_required", "not_found", "precondition_failed"],
    }),
  },
};
