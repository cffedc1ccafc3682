import type { RouteConfig } from "fresh";
import { calls } from "../../../lib/server/http/calls.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { pathRoute, requestPath } from "../../../lib/server/http/request/request_path.ts";
import { ratiosAnswer } from "../../../lib/server/http/response/resource_answers.ts";
import { json, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";
import { ratioParameters } from "../../../lib/server/http/openapi/parts/files.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/ratios/*?") };

/** The shapes of a folder's pictures, so that a view of thousands is laid out at once. */
export const handler = calls({
  GET: {
    id: "ratios",
    tag: "Content",
    summary: "Get the aspect ratios of all pictures of a folder",
    description:
      "Returns the width of each picture and video in percent of its height, turned upright, in " +
      "the order in which the folder is listed with the same parameters. The server keeps what it " +
      "has read of a file until the file changes. With `read=true` it reads further files, for " +
      "about a second: ask again until `unread` is 0.\n\n" +
      "Needs the permission to download.",
    token: "read",
    parameters: [
      parameterNamed("Path"),
      ...ratioParameters,
    ],
    answers: { 200: json("One number for each entry.", schemaNamed("Ratios")) },
    refusals: ["invalid_path", "invalid_option", "not_found"],
    examples: `
$ curl "$CUBBY/api/ratios/photos/?read=true" -H "X-Auth: $TOKEN"
{"ratios":[100,100],"unread":0}
`,
    async handle(ctx) {
      const { path } = requestPath(ctx, "ratios");
      return await ratiosAnswer(ctx, accessFor(ctx), path, signedInOf(ctx).user.sorting);
    },
  },
});
