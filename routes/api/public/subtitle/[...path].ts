import type { RouteConfig } from "fresh";
import { openSubtitles, statSubtitles } from "../../../../lib/server/files/subtitles/convert.ts";
import { calls } from "../../../../lib/server/http/calls.ts";
import { pathRoute } from "../../../../lib/server/http/request/request_path.ts";
import {
  needReadInPlace,
  visitByCall,
} from "../../../../lib/server/http/request/share_requests.ts";
import { subtitlesAnswer } from "../../../../lib/server/http/response/subtitles_answer.ts";
import { conditions } from "../../../../lib/server/http/openapi/parameters.ts";
import { subtitleAnswers } from "../../../../lib/server/http/openapi/parts/files.ts";
import {
  closedShare,
  sharedPath,
  shareProofs,
} from "../../../../lib/server/http/openapi/parts/links.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/public/subtitle/*?") };

/** Shared subtitles as WebVTT, for visitors with the link and the password. */
export const handler = calls({
  GET: {
    id: "sharedSubtitle",
    tag: "Shares",
    summary: "Get shared subtitles as WebVTT",
    description: "As `GET /api/subtitle/{path}`. 403 in a share that counts downloads.",
    who: "anyone",
    parameters: [sharedPath, ...shareProofs, ...conditions],
    answers: subtitleAnswers,
    refusals: [
      ...closedShare,
      ...["not_a_file", "is_folder", "not_supported", "precondition_failed", "busy"] as const,
    ],
    async handle(ctx) {
      const visit = await visitByCall(ctx, "public/subtitle");
      needReadInPlace(visit, "Cannot show the subtitles", "view");
      const { access, path } = visit;
      const { contentWorker } = ctx.state.cubby;
      const convert = () => openSubtitles(access, contentWorker, path, ctx.req.signal);
      return await subtitlesAnswer(ctx, statSubtitles(access, path), convert);
    },
  },
});
