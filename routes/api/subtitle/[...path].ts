import type { RouteConfig } from "fresh";
import { openSubtitles, statSubtitles } from "../../../lib/server/files/subtitles/convert.ts";
import { calls } from "../../../lib/server/http/calls.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { pathRoute, requestPath } from "../../../lib/server/http/request/request_path.ts";
import { subtitlesAnswer } from "../../../lib/server/http/response/subtitles_answer.ts";
import { conditions, parameterNamed } from "../../../lib/server/http/openapi/parameters.ts";
import { subtitleAnswers, unreadable } from "../../../lib/server/http/openapi/parts/files.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/subtitle/*?") };

/** Subtitles of any kind, as WebVTT. */
export const handler = calls({
  GET: {
    id: "subtitle",
    tag: "Content",
    summary: "Get subtitles as WebVTT",
    description:
      "Converts WebVTT, SubRip, ASS or SSA of at most 10 MiB, in any encoding. Bold, italics, " +
      "underlining and the position are kept.\n\n" +
      "Needs the permission to download.",
    token: "read",
    parameters: [parameterNamed("Path"), ...conditions],
    answers: subtitleAnswers,
    refusals: [...unreadable, "is_folder", "not_supported", "precondition_failed", "busy"],
    examples: `
$ curl -i $CUBBY/api/subtitle/film.srt -H "X-Auth: $TOKEN"
HTTP/1.1 200 OK
content-type: text/vtt; charset=utf-8
etag: "5y2ht-15-mwqamnv2-vtt1"

WEBVTT

00:00:01.000 --> 00:00:02.500
The sea!

$ curl $CUBBY/api/subtitle/notes.txt -H "X-Auth: $TOKEN"
Cannot convert "/notes.txt": it is not one of .vtt, .srt, .ass, .ssa
`,
    async handle(ctx) {
      const { path } = requestPath(ctx, "subtitle");
      const access = accessFor(ctx);
      const { contentWorker } = ctx.state.cubby;
      const convert = () => openSubtitles(access, contentWorker, path, ctx.req.signal);
      return await subtitlesAnswer(ctx, statSubtitles(access, path), convert);
    },
  },
});
