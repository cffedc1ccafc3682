import { maxHashedPaths } from "../../lib/shared/schemas/choices/choices.ts";
import { calls } from "../../lib/server/http/calls.ts";
import { accessFor } from "../../lib/server/http/request/access_for.ts";
import { hashedPaths } from "../../lib/server/http/request/request_path.ts";
import { jsonAnswer } from "../../lib/server/http/response/answers.ts";
import { thumbHashes } from "../../lib/server/features/previews/images/thumb_hashes.ts";
import { json, schemaNamed } from "../../lib/server/http/openapi/answers.ts";
import { jsonBody } from "../../lib/server/http/openapi/json_body.ts";

/** The ThumbHashes of thumbnails in the cache, for many entries at once. */
export const handler = calls({
  POST: {
    id: "thumbHashes",
    tag: "Content",
    summary: "Get blurred placeholders of thumbnails",
    description:
      "Returns [ThumbHash](https://evanw.github.io/thumbhash/) values in base64, to show " +
      "until the thumbnails are loaded. Only for thumbnails that the server has created " +
      "before; files without one, or that you may not download, are left out.",
    token: "read",
    body: jsonBody({
      paths: {
        type: "array",
        items: { type: "string" },
        description: `Up to ${maxHashedPaths} paths of files, decoded.`,
      },
    }, ["paths"]),
    answers: { 200: json("By the paths as they were sent.", schemaNamed("ThumbHashes")) },
    refusals: ["invalid_path"],
    examples: `
$ curl $CUBBY/api/thumbhashes -H "X-Auth: $TOKEN" --json '{"paths": ["/notes.txt"]}'
{"hashes":{}}
`,
    async handle(ctx, body) {
      const { config, previews } = ctx.state.cubby;
      const paths = hashedPaths(body);
      const wanted = config.disableThumbnails ? [] : paths;
      return jsonAnswer({ hashes: await thumbHashes(previews, accessFor(ctx), wanted) });
    },
  },
});
