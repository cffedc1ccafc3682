import type { RouteConfig } from "fresh";
import { read } from "../../../lib/shared/schemas/read.ts";
import { folderViewSchema } from "../../../lib/shared/schemas/view.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { signedInOf } from "../../../lib/server/http/middleware/sign_in.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { flagOption } from "../../../lib/server/http/request/query.ts";
import { pathRoute, requestPath } from "../../../lib/server/http/request/request_path.ts";
import { textAnswer } from "../../../lib/server/http/response/answers.ts";
import { done, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { wholeBody } from "../../../lib/server/http/openapi/json_body.ts";
import { parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/views/*?") };

/** How the user looks at folders: remembered, and forgotten, of one folder or of all. */
export const handler = calls({
  PUT: {
    id: "putView",
    tag: "Resources",
    summary: "Store your view of a folder",
    description: "Replaces the stored view. Members that the body leaves out are as in your own " +
      "settings. The views of 200 folders are kept, the ones changed last; they follow " +
      "folders that are moved. `GET /api/resources/{path}` with `view=true` returns the view " +
      "and applies it.",
    token: "whole write",
    parameters: [parameterNamed("Path")],
    body: wholeBody(schemaNamed("FolderView"), {
      description: "Up to 4 KiB: the view; what is left out is as the account says.",
      limits: { bytes: 4096 },
    }),
    answers: { 200: done },
    refusals: ["invalid_path", "not_found"],
    examples: `
$ curl -s -X PUT $CUBBY/api/views/photos -H "X-Auth: $TOKEN" --json '{"viewMode": "mosaic", "groupBy": "kind"}'
OK
$ curl -s "$CUBBY/api/resources/photos?view=true" -H "X-Auth: $TOKEN" | jq -r .view.groupBy
kind
`,
    async handle(ctx, body) {
      const { path } = requestPath(ctx, "views");
      const view = read(folderViewSchema, body);
      const { user } = signedInOf(ctx);
      await ctx.state.cubby.folderViews.put(user.id, accessFor(ctx), path, view);
      return textAnswer("OK\n");
    },
  },
  DELETE: {
    id: "removeView",
    tag: "Resources",
    summary: "Remove your view of a folder",
    description: "With `all=true`, of all folders.",
    token: "whole write",
    parameters: [
      parameterNamed("Path"),
      {
        name: "all",
        in: "query",
        description: "`true` removes the views of all folders, for any path.",
        schema: { type: "boolean", default: false },
      },
    ],
    answers: { 200: done },
    refusals: ["invalid_path"],
    examples: `
$ curl -s -X DELETE $CUBBY/api/views/photos -H "X-Auth: $TOKEN"
OK
$ curl -s -X DELETE "$CUBBY/api/views/?all=true" -H "X-Auth: $TOKEN"
OK
`,
    async handle(ctx) {
      const { path } = requestPath(ctx, "views");
      const { folderViews } = ctx.state.cubby;
      const { user } = signedInOf(ctx);
      if (flagOption(ctx.url.searchParams, "all")) await folderViews.clear(user.id);
      else await folderViews.remove(user.id, accessFor(ctx), path);
      return textAnswer("OK\n");
    },
  },
});
