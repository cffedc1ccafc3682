import type { RouteConfig } from "fresh";
import { usageFor } from "../../../lib/server/files/disk_usage.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { pathRoute, requestPath } from "../../../lib/server/http/request/request_path.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { json, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/usage/*?") };

/** The usage of the disk at a path, or of the quota of the one who asks. */
export const handler = calls({
  GET: {
    id: "usage",
    tag: "Server",
    summary: "Get the size and use of a disk, or of your quota",
    description:
      "For the disk that contains the path. For a user with a quota of bytes, `total` and " +
      "`used` are those of the quota, so that clients that know no quotas show what counts; " +
      "`quota` has both limits (0 for none) and what is used of them, uploads in progress " +
      "included. A quota that was never counted is counted first, for up to three seconds.",
    token: "read",
    parameters: [parameterNamed("Path")],
    answers: { 200: json("The disk, or the quota.", schemaNamed("Usage")) },
    refusals: ["invalid_path", "not_found"],
    examples: `
$ curl $CUBBY/api/usage/photos/ -H "X-Auth: $TOKEN"
{"total":270553174016,"used":17398161408}
`,
    async handle(ctx) {
      const { path } = requestPath(ctx, "usage");
      return jsonAnswer(await usageFor(accessFor(ctx), path));
    },
  },
});
