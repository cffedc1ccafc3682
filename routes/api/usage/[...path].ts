import type { RouteConfig } from "fresh";
import { usageFor } from "../../../lib/server/files/listing/usage.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { json } from "../../../lib/server/openapi/answers.ts";
import { parameterNamed } from "../../../lib/server/openapi/parameters.ts";
import { schemaNamed } from "../../../lib/server/openapi/references.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/usage{/*}?" };

/** The usage of the disk at a path, or of the quota of the one who asks. */
export const handler = calls({
  GET: {
    id: "usage",
    tag: "Server",
    summary: "Tell how full the disk is that holds a path, or the quota of the one who asks",
    description: "A user with a quota of bytes is told of that in place of the disk, so that " +
      "clients that know no quotas show what counts. Where it was never counted, that is done " +
      "first, for up to three seconds.",
    token: "read",
    parameters: [parameterNamed("Path")],
    answers: { 200: json("The disk, or the quota.", schemaNamed("Usage")) },
    refusals: ["invalid_path", "not_found"],
    async handle(ctx) {
      const { path } = requestPath(ctx, "usage");
      return jsonAnswer(await usageFor(accessFor(ctx), path));
    },
  },
});
