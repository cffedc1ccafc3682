import type { ErrorCode } from "../../../shared/errors.ts";
import { json, list, text } from "../answers.ts";
import { call } from "../call.ts";
import { badJson, jsonBody } from "../json_body.ts";
import { schemaNamed, shareChange, shareRequest } from "../schemas.ts";
import { listParameters, parameterNamed } from "../parameters.ts";
import type { Parameter, PathItem } from "../types.ts";
import { previewAnswers, previewParameters, sizeParameter } from "./previews.ts";
import { downloadAnswers, downloadParameters } from "./content.ts";
import { restoring, sharedChanges } from "./shared_changes.ts";

const tag = "Shares";

/** Errors in what a share is to be. */
const unfit: ErrorCode[] = [
  ...badJson,
  ...["invalid_path", "invalid_password", "not_found", "exists", "throttled"] as const,
];

/** The path behind the calls about what is shared. */
export const sharedPath: Parameter = {
  name: "path",
  in: "path",
  required: true,
  description: "The share's hash, and behind it the path of an entry in what is shared; written " +
    "as any path.",
  schema: { type: "string" },
  example: "kf8Xn0Zb3cQ9yZ1tq7vL2A/sea%20and%20sky.jpg",
};

/** The headers and parameters that open a share with a password. */
export const proofs: Parameter[] = [
  {
    name: "X-SHARE-PASSWORD",
    in: "header",
    description: "The share's password, percent-encoded.",
    schema: { type: "string" },
  },
  {
    name: "token",
    in: "query",
    description: "The token that describing the share gave, in place of the password.",
    schema: { type: "string" },
  },
];

/** Errors for those who may not, or not without a password. */
export const closedShare: ErrorCode[] = [
  "invalid_path",
  "password_required",
  "not_found",
  "throttled",
];

/** Errors for visitors. */
const closed: ErrorCode[] = [...closedShare, "invalid_option", "busy"];

const changing = { opening: [sharedPath, ...proofs], closed: closedShare };

const shares = list("They come in no order that means anything.", schemaNamed("Share"));

const shareWithToken = schemaNamed("ShareWithToken");

/** The calls that share entries, and those for visitors. */
export const shareCalls: Record<string, PathItem> = {
  "/api/shares": {
    get: call({
      id: "listShares",
      tag,
      summary: "List one's own shares, or all of them for administrators",
      description: "Administrators see the `username` of each owner.",
      auth: "cookie",
      parameters: [
        ...listParameters("the path"),
        {
          name: "own",
          in: "query",
          description:
            "`true` lists one's own alone, for administrators, too, each with its present target in `state`.",
          schema: { type: "boolean", default: false },
        },
      ],
      answers: { 200: shares },
      refusals: ["invalid_option"],
    }),
  },

  "/api/shared": {
    get: call({
      id: "listShared",
      tag,
      summary: "List what others share with oneself",
      description: "Of a share, who is not in its `audience` sees and opens nothing.",
      auth: "cookie",
      answers: {
        200: json("By name.", { type: "array", items: schemaNamed("SharedWithMe") }),
      },
    }),
  },

  "/api/share/{path}": {
    get: call({
      id: "listSharesOf",
      tag,
      summary: "List one's own shares of an entry, or everybody's for administrators",
      auth: "cookie",
      parameters: [parameterNamed("Path"), ...listParameters("the path")],
      answers: { 200: list("They come in no order that means anything.", shareWithToken) },
      refusals: ["invalid_path", "invalid_option", "not_found"],
    }),
    post: call({
      id: "share",
      tag,
      summary: "Share an entry",
      description:
        "Needs the permissions to share and to download. What is asked may stand in the body or " +
        "in the query.",
      auth: "token",
      parameters: [parameterNamed("Path")],
      body: jsonBody(shareRequest, []),
      answers: { 200: json("The share.", shareWithToken) },
      refusals: unfit,
    }),
    patch: call({
      id: "changeShare",
      tag,
      summary: "Change a share",
      description:
        "Its hash stands in the place of the path. What is absent stays. For its owner, who needs " +
        "the permissions to share and to download, and for administrators. Tokens of visitors are " +
        "void then.",
      auth: "token",
      parameters: [parameterNamed("Path")],
      body: jsonBody(shareChange, []),
      answers: { 200: json("The share as it is now.", shareWithToken) },
      refusals: unfit,
    }),
    delete: call({
      id: "endShare",
      tag,
      summary: "End a share",
      description: "Its hash stands in the place of the path. For its owner and administrators.",
      auth: "token",
      parameters: [parameterNamed("Path")],
      answers: { 200: text("It is gone.", schemaNamed("Empty")) },
      refusals: ["invalid_path", "not_found"],
    }),
  },

  "/api/public/share/{path}": {
    get: call({
      id: "describeShared",
      tag,
      summary: "Tell a visitor of what is shared",
      description: "Nothing of it is told before the password is right. 403 when the owner is " +
        "gone, or may not share any more.",
      auth: "none",
      parameters: [sharedPath, ...proofs],
      answers: { 200: json("What is there.", schemaNamed("SharedEntry")) },
      refusals: closed,
    }),
    ...sharedChanges(changing),
  },

  "/api/public/trash/{path}": { post: restoring(changing) },

  "/api/public/dl/{path}": {
    get: call({
      id: "downloadShared",
      tag,
      summary: "Hand out what is shared to a visitor",
      description: "As `GET /api/raw/{path}` does to users. Where a file is shared, any name may " +
        "follow the hash.",
      auth: "none",
      parameters: [sharedPath, ...proofs, ...downloadParameters],
      answers: downloadAnswers,
      refusals: [
        ...closed,
        "not_a_file",
        "not_supported",
        "precondition_failed",
        "range_not_satisfiable",
      ],
    }),
  },

  "/api/public/preview/{size}/{path}": {
    get: call({
      id: "previewShared",
      tag,
      summary: "Show a shared picture to a visitor, smaller than it is",
      description: "As `GET /api/preview/{size}/{path}` does to users.",
      auth: "none",
      parameters: [sizeParameter, sharedPath, ...proofs, ...previewParameters],
      answers: previewAnswers,
      refusals: [...closed, "not_a_file", "not_supported", "precondition_failed"],
    }),
  },
};
