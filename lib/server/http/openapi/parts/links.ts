import type { ErrorCode } from "../../../../shared/errors.ts";
import type { Header, Parameter } from "../types.ts";
import { list, schemaNamed } from "../answers.ts";

/** The path behind the calls about what is shared. */
export const sharedPath: Parameter = {
  name: "path",
  in: "path",
  required: true,
  description: "The share's hash, then the path of an entry in the share, encoded as any path.",
  schema: { type: "string" },
  example: "kf8Xn0Zb3cQ9yZ1tq7vL2A/sea%20and%20sky.jpg",
};

/** The headers and parameters that open a share with a password. */
export const shareProofs: Parameter[] = [
  {
    name: "X-SHARE-PASSWORD",
    in: "header",
    description: "The share's password, percent-encoded.",
    schema: { type: "string" },
  },
  {
    name: "token",
    in: "query",
    description: "The `token` of a described share, in place of the password.",
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
export const badVisit: ErrorCode[] = [...closedShare, "invalid_option", "busy"];

export const ofEditors =
  "For a session of a recipient who may `edit`, and for visitors where `anyoneMay` is `edit`. It " +
  "changes the owner's files, so the owner must have the permissions to create, modify, rename " +
  "and delete. ";

export function sharedPlace(description: string, call: string): { "Content-Location": Header } {
  const schema = { type: "string", pattern: `/api/public/${call}/` } as const;
  return { "Content-Location": { description, required: true, schema } };
}

export const arrivedInShare = sharedPlace("Where the entry is now, in the share.", "share");

/** A list of requests for files. */
export const fileRequests = list(
  "In no particular order.",
  schemaNamed("FileRequest"),
);

/** A parameter in the path of a visitor. */
export function inPath(name: string, description: string, example: string): Parameter {
  return { name, in: "path", required: true, description, schema: { type: "string" }, example };
}

/** A header of a visitor's upload. */
export function headerParameter(name: string, description: string): Parameter {
  return { name, in: "header", description, schema: { type: "string" } };
}

/** The request for files, in the path. */
export const requestParameter = inPath("hash", "The request's hash.", "kf8Xn0Zb3cQ9yZ1tq7vL2A");

/** The token of a visitor who was let in. */
export const requestToken = headerParameter(
  "X-Request-Token",
  "From the answer that let the visitor in.",
);
