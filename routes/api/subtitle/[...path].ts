import type { RouteConfig } from "fresh";
import { calls } from "../../../lib/server/http/calls.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import { subtitlesAnswer } from "../../../lib/server/http/response/subtitles_answer.ts";
import { bytes, nothing } from "../../../lib/server/openapi/answers.ts";
import { headerNamed } from "../../../lib/server/openapi/headers.ts";
import { conditions, parameterNamed } from "../../../lib/server/openapi/parameters.ts";
import { unreadable } from "../../../lib/server/openapi/parts/content.ts";
import type { Header, Reference } from "../../../lib/server/openapi/types.ts";
import { openSubtitles, statSubtitles } from "../../../lib/server/subtitles/convert.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/subtitle{/*}?" };

const ofSubtitles: Record<string, Header | Reference> = {
  "ETag": headerNamed("FileTag"),
  "Last-Modified": headerNamed("LastModified"),
  "Cache-Control": headerNamed("Private"),
  "Content-Security-Policy": headerNamed("Sandbox"),
};

/** Subtitles of any kind, as WebVTT. */
export const handler = calls({
  GET: {
    id: "subtitle",
    tag: "Content",
    summary: "Get subtitles as WebVTT",
    description: "From WebVTT, SubRip, ASS or SSA of at most 10 MiB, in any encoding. Bold, " +
      "italics, underlining and the place are kept.\n\nNeeds the permission to download.",
    token: "read",
    parameters: [parameterNamed("Path"), ...conditions],
    answers: {
      200: bytes("The subtitles.", ["text/vtt"], ofSubtitles),
      304: nothing("They are those that the client has.", ofSubtitles),
    },
    refusals: [...unreadable, "is_folder", "not_supported", "precondition_failed", "busy"],
    async handle(ctx) {
      const { path } = requestPath(ctx, "subtitle");
      const access = accessFor(ctx);
      const { contentWorker } = ctx.state.cubby;
      const { signal } = ctx.req;
      return await subtitlesAnswer(
        ctx,
        statSubtitles(access, path),
        () => openSubtitles(access, contentWorker, path, signal),
      );
    },
  },
});
