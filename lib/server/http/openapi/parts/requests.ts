import { list } from "../answers.ts";
import { schemaNamed } from "../references.ts";
import type { Parameter } from "../types.ts";

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
