import { introduction } from "./introduction.ts";
import type { FoundCall, Tag } from "./call.ts";
import { headers } from "./headers.ts";
import { operationOf } from "./operation.ts";
import { parameters } from "./parameters.ts";
import { componentSchemas } from "./schemas.ts";
import type { ApiDocument, Method, PathItem, SecurityScheme } from "./types.ts";

/** Version of the API, not of the program, which is not public. */
const interfaceVersion = "1";

/** What the calls of each group are about. */
export const tags: Record<Tag, string> = {
  Sessions: "Sign-in, sessions, tokens and second factors.",
  Users: "Users, groups and permissions.",
  Resources: "Files and folders: describe, search, create, upload, move, delete.",
  Content: "Content of files: downloads, archives, previews and metadata.",
  Shares: "Shares and requests for files.",
  Commands: "Commands on the server, where the administrator allows them.",
  Server: "The server: settings, logs, metrics and webhooks.",
};

const securitySchemes: Record<string, SecurityScheme> = {
  token: {
    type: "apiKey",
    in: "header",
    name: "X-Auth",
    description: "The token of `POST /api/login` or `POST /api/renew`.",
  },
  apiToken: {
    type: "http",
    scheme: "bearer",
    description:
      "A token of `POST /api/tokens`, limited to its rights and its folder. It can also " +
      "be sent in `X-Auth`, or as the password of `Authorization: Basic`, with any name.",
  },
  cookie: {
    type: "apiKey",
    in: "cookie",
    name: "auth",
    description: "The same token in the cookie that the server set; only for GET and HEAD.",
  },
  ticket: {
    type: "apiKey",
    in: "query",
    name: "auth",
    description: "A ticket of `POST /api/ticket` for this path and use; never a token.",
  },
  metrics: {
    type: "http",
    scheme: "bearer",
    description: "The token that the server was started with for its metrics; no session.",
  },
};

/**
 * The HTTP interface as an OpenAPI 3.1 document, for client generators and readers.
 *
 * @param url of the server, with its base path and without a slash at the end
 */
export function apiDocument(url: string, calls: readonly FoundCall[]): ApiDocument {
  const paths: Record<string, PathItem> = {};
  for (const { method, path, call } of calls) {
    const item = paths[path] ??= {};
    item[method.toLowerCase() as Method] = operationOf(method, call);
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Cubby",
      version: interfaceVersion,
      summary: "A self-hosted file manager",
      description: introduction,
    },
    servers: [{ url, description: "This server." }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: componentSchemas(), parameters, headers, securitySchemes },
  };
}
