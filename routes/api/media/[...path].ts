import type { RouteConfig } from "fresh";
import { calls } from "../../../lib/server/http/calls.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { pathRoute, requestPath } from "../../../lib/server/http/request/request_path.ts";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import { json, schemaNamed } from "../../../lib/server/http/openapi/answers.ts";
import { parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/media/*?") };

/** The facts that pictures, videos, music and PDF tell of themselves. */
export const handler = calls({
  GET: {
    id: "mediaInfo",
    tag: "Content",
    summary: "Get the embedded metadata of a file",
    description:
      "EXIF data and tags of a picture, a video, music or a PDF: dimensions in pixels as " +
      "shown, `duration` in seconds, `pages`, and so on. Members that the file does not have, " +
      "or that the server lacks a program for, are left out. Other types are 501.\n\n" +
      "Needs the permission to download.",
    token: "read",
    parameters: [parameterNamed("Path")],
    answers: { 200: json("Empty if the file has no metadata.", schemaNamed("MediaInfo")) },
    refusals: ["invalid_path", "is_folder", "not_a_file", "not_found", "not_supported"],
    examples: `
$ curl $CUBBY/api/media/logo.png -H "X-Auth: $TOKEN"
{"width":1,"height":1}

$ curl -i $CUBBY/api/media/notes.txt -H "X-Auth: $TOKEN"
HTTP/1.1 501 Not Implemented
content-type: text/plain; charset=utf-8

Cannot read the metadata of "/notes.txt": it is not a picture, video, music or PDF
`,
    async handle(ctx) {
      const { path } = requestPath(ctx, "media");
      return jsonAnswer(await ctx.state.cubby.media.info(accessFor(ctx), path, ctx.req.signal));
    },
  },
});
