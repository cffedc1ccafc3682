import { calls } from "../../lib/server/http/calls.ts";
import { publicAddress } from "../../lib/server/http/middleware/client_address.ts";
import { jsonAnswer } from "../../lib/server/http/response/answers.ts";
import { headerNamed, json } from "../../lib/server/http/openapi/answers.ts";
import type { ApiDocument } from "../../lib/server/http/openapi/types.ts";
import { isBundled } from "../../lib/server/core/config/app_folder.ts";
import { readProgramText } from "../../lib/server/core/config/program_files.ts";

let document: Promise<ApiDocument> | undefined;

/**
 * The description of all calls. It is public: it contains no secret, and generators of clients send
 * no token. It names the address of its request, so it must not be cached.
 */
export const handler = calls({
  GET: {
    id: "openApiDocument",
    tag: "Server",
    summary: "Get this document",
    description:
      "The same for all callers: it reveals nothing about users, files or enabled options. " +
      "`info.version` is the version of the interface, not of the program. `servers` has the " +
      "address of the request, so the document is not cached.",
    who: "anyone",
    answers: {
      200: json("The document.", {
        type: "object",
        required: ["openapi", "paths"],
        properties: { openapi: { type: "string" }, paths: { type: "object" } },
        additionalProperties: true,
      }, { "Content-Length": headerNamed("Length") }),
    },
    examples: `
$ curl -s $CUBBY/api/openapi.json | jq -r .servers[0].url
http://127.0.0.1:8080
`,
    async handle(ctx) {
      const described = await (document ??= load());
      const url = publicAddress(ctx, "");
      const servers = described.servers.map((server) => ({ ...server, url }));
      return jsonAnswer({ ...described, servers });
    },
  },
});

/** The document of the build or, without one, of the declarations of all calls. */
async function load(): Promise<ApiDocument> {
  if (isBundled) return JSON.parse(readProgramText("_fresh/openapi.json"));
  const { apiDocument } = await import("../../lib/server/http/openapi/document.ts");
  const { findCalls } = await import("../../lib/server/http/find_calls.ts");
  return apiDocument("", await findCalls(new URL("../", import.meta.url)));
}
