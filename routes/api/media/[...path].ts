import type { RouteConfig } from "fresh";
import { calls } from "../../../lib/server/http/calls.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { json } from "../../../lib/server/openapi/answers.ts";
import { parameterNamed } from "../../../lib/server/openapi/parameters.ts";
import { schemaNamed } from "../../../lib/server/openapi/references.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/media{/*}?" };

/** The facts that pictures, videos, music and PDF tell of themselves. */
export const handler = calls({
  GET: {
    id: "mediaInfo",
    tag: "Content",
    summary: "Tell what a picture, a video, music or a PDF tells of itself",
    description: "Dimensions, length, pages, EXIF data and tags, as far as the file has them and " +
      "the server has the programs that read them. Any other type is 501.\n\nNeeds the " +
      "permission to download.",
    token: "read",
    parameters: [parameterNamed("Path")],
    answers: { 200: json("Empty when the file tells nothing.", schemaNamed("MediaInfo")) },
    refusals: ["invalid_path", "is_folder", "not_a_file", "not_found", "not_supported"],
    async handle(ctx) {
      const { path } = requestPath(ctx, "media");
      return jsonAnswer(await ctx.state.cubby.media.info(accessFor(ctx), path, ctx.req.signal));
    },
  },
});
