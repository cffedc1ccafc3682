import type { RouteConfig } from "fresh";
import { calls } from "../../../../lib/server/http/calls.ts";
import { signedInOf } from "../../../../lib/server/http/middleware/sign_in.ts";
import { parameterNamed } from "../../../../lib/server/http/openapi/parameters.ts";
import {
  partParameter,
  streamAnswers,
  streamParameters,
  unstreamed,
} from "../../../../lib/server/http/openapi/parts/files.ts";
import { accessFor } from "../../../../lib/server/http/request/access_for.ts";
import { pathRoute, requestPath } from "../../../../lib/server/http/request/request_path.ts";
import { streamPart } from "../../../../lib/server/http/request/query.ts";
import { streamAnswer } from "../../../../lib/server/http/response/stream_answers.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/stream/:part/*?") };

/** Videos and music that browsers cannot decode, converted while they are played. */
export const handler = calls({
  GET: {
    id: "stream",
    tag: "Content",
    summary: "Stream a video or music in formats that browsers decode",
    description:
      "`info` lists the tracks of the file. `hls` is a playlist (HLS, RFC 8216) whose segments the " +
      "server makes as they are asked for, and keeps for a while: with the pictures as they are " +
      "(`video=copy`, if `video.copies` says so and the browser decodes `video.codecs`), as H.264 " +
      "of at most 480 or 1080 lines, or without pictures; the sound is AAC. `subtitle` is a track " +
      "of subtitles inside of the file as WebVTT, and `picture` a small picture (JPEG) of the " +
      "place `at`, rounded down to one of at most 240 places.\n\n" +
      "FFmpeg does it where it is installed; otherwise the answer is 501, as for a file that it " +
      "cannot decode. Half of the cores convert at a time, and one conversion runs for each " +
      "user; others wait for up to 30 seconds, after which the answer is 503. All who watch " +
      "a film share its segments.\n\n" +
      "Needs the permission to download.",
    token: "read",
    parameters: [partParameter, parameterNamed("Path"), ...streamParameters],
    answers: streamAnswers,
    refusals: unstreamed,
    examples: `
$ curl -i $CUBBY/api/stream/info/notes.txt -H "X-Auth: $TOKEN"
HTTP/1.1 501 Not Implemented
content-type: text/plain; charset=utf-8

Cannot convert "/notes.txt": it is neither a video nor music
`,
    async handle(ctx) {
      const part = streamPart(ctx.params.part);
      const { path } = requestPath(ctx, `stream/${part}`);
      const owner = String(signedInOf(ctx).user.id);
      return await streamAnswer(ctx, accessFor(ctx), path, { part, owner });
    },
  },
});
