import type { FoundCall, Tag } from "./call.ts";
import { headers } from "./answers.ts";
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
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url, description: "This server." }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: componentSchemas(), parameters, headers, securitySchemes },
  };
}

/** The description of the document, in CommonMark: rules for every call. */
export const introduction = `
**Sign-in.** Send the token of \`POST /api/login\` in the header \`X-Auth\`. The cookie \`auth\` is accepted
on GET and HEAD only, so another site cannot make a browser change anything. Where an address can carry
neither, such as a link, a player or a WebSocket, put a ticket in \`?auth=\`. A server that was started
with \`--noauth\`, or behind a proxy that names the user, vouches for its users itself and needs no token.
Behind such a proxy, tokens, cookies and tickets are valid only together with the proxy's header for the
same user.

**Paths.** Where an address ends with \`{path}\`, put the whole path of an entry, relative to the user's
scope: keep its slashes and percent-encode each segment between them once. The root is the empty path; a
slash at the end means a folder. An encoded slash, a NUL, a bad escape and a \`.\` or \`..\` segment are 400;
repeated slashes count as one; a backslash is an ordinary character. Paths in answers are not encoded.
A client that encodes the slashes of a path, as generated ones do, leaves the path in the address empty,
and sends it as \`?path=\`: \`/api/resources/?path=photos/a.jpg\`.

**Errors.** A refusal is one sentence of plain text. For a request that accepts \`application/json\` by
name, it is an object with a stable \`code\` and the sentence as \`message\`. An entry that the user may not
reach is 403, whether or not it exists. A failure of the server is 500 with the code \`internal\`, on any
call, and reveals no details. If the records are in a store on the network and that is unavailable, any
call is 503 with the code \`busy\`.

**Methods.** Each call by GET also answers HEAD, with the same headers and no body. OPTIONS is answered
with 204, any other method with 405; both have the methods in \`Allow\`. No other site is granted access
(CORS). An unknown address below \`/api/\` is 404.

**Caches.** Every answer is \`Cache-Control: no-store\` unless its own headers say otherwise.
`.trim();
