import { calls } from "../../lib/server/http/calls.ts";
import { publicOrigin } from "../../lib/server/http/middleware/client_address.ts";
import { jsonAnswer } from "../../lib/server/http/response/answers.ts";
import { json } from "../../lib/server/openapi/answers.ts";
import type { FoundCall } from "../../lib/server/openapi/call.ts";
import { headerNamed } from "../../lib/server/openapi/headers.ts";

let found: Promise<FoundCall[]> | undefined;

/**
 * The description of all calls. It is public: it contains no secret, and generators of clients send
 * no token. It names the address of its request, so it must not be cached.
 */
export const handler = calls({
  GET: {
    id: "openApiDocument",
    tag: "Server",
    summary: "Give this document",
    description: "Open to everybody: it is the same for all, and tells nothing of who uses the " +
      "server, of what lies on it, or of which switches are on.",
    who: "anyone",
    answers: {
      200: json("The document.", {
        type: "object",
        required: ["openapi", "paths"],
        properties: { openapi: { type: "string" }, paths: { type: "object" } },
        additionalProperties: true,
      }, { "Content-Length": headerNamed("Length") }),
    },
    async handle(ctx) {
      const { apiDocument } = await import("../../lib/server/openapi/document.ts");
      const { baseUrl, trustedProxies } = ctx.state.cubby.config;
      const { https, host } = publicOrigin(ctx.info, ctx.req, trustedProxies);
      const url = `${https ? "https" : "http"}://${host}${baseUrl}`;
      return jsonAnswer(apiDocument(url, await (found ??= load())));
    },
  },
});

/** Loads the declarations of all calls, once. */
async function load(): Promise<FoundCall[]> {
  const { findCalls } = await import("../../lib/server/http/find_calls.ts");
  return await findCalls(new URL("../", import.meta.url));
}
