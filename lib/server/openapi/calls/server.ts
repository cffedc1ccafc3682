import { json, text } from "../answers.ts";
import { call } from "../call.ts";
import { headerNamed } from "../headers.ts";
import { schemaNamed } from "../schemas.ts";
import { parameterNamed } from "../parameters.ts";
import type { PathItem, Schema } from "../types.ts";

const tag = "Server";

/** The calls for the state of the server and its disk. */
export const serverCalls: Record<string, PathItem> = {
  "/api/usage/{path}": {
    get: call({
      id: "usage",
      tag,
      summary: "Tell how full the disk is that holds a path, or the quota of the one who asks",
      description: "A user with a quota of bytes is told of that in place of the disk, so that " +
        "clients that know no quotas show what counts. Where it was never counted, that is done " +
        "first, for up to three seconds.",
      auth: "cookie",
      parameters: [parameterNamed("Path")],
      answers: { 200: json("The disk, or the quota.", schemaNamed("Usage")) },
      refusals: ["invalid_path", "not_found"],
    }),
  },

  "/api/openapi.json": {
    get: call({
      id: "openApiDocument",
      tag,
      summary: "Give this document",
      description: "Open to everybody: it is the same for all, and tells nothing of who uses the " +
        "server, of what lies on it, or of which switches are on.",
      auth: "none",
      answers: {
        200: json("The document.", {
          type: "object",
          required: ["openapi", "paths"],
          properties: { openapi: { type: "string" }, paths: { type: "object" } },
          additionalProperties: true,
        }, { "Content-Length": headerNamed("Length") }),
      },
    }),
  },

  "/api/metrics": {
    get: call({
      id: "metrics",
      tag,
      summary: "Tell what the server has counted, for Prometheus",
      description:
        "In the text format 0.0.4, for all threads of the process. It is there only when " +
        "the server was started with `--metrics-token-file`, and asks for that token alone.",
      auth: "metrics",
      answers: {
        200: text("The samples.", { type: "string" }),
      },
      refusals: ["not_found"],
    }),
  },

  "/health": {
    get: call({
      id: "health",
      tag,
      summary: "Tell that the server answers",
      description: "For probes and proxies; needs no token.",
      auth: "none",
      answers: {
        200: json("It answers.", statusSchema("OK")),
      },
    }),
  },

  "/health/ready": {
    get: call({
      id: "ready",
      tag,
      summary: "Tell whether files can be served",
      description:
        "For balancers and supervisors; needs no token. While the served folder is not " +
        "the one that the server was started on (its disk was unmounted), or does not answer, or " +
        "while the store cannot be read or written, it is 503.",
      auth: "none",
      answers: {
        200: json("They can.", statusSchema("OK")),
        503: json("They can't.", statusSchema("unavailable")),
      },
    }),
  },
};

function statusSchema(word: string): Schema {
  return {
    type: "object",
    required: ["status"],
    properties: { status: { type: "string", const: word } },
  };
}
