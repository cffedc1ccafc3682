import type { RouteConfig } from "fresh";
import { calls } from "../../../../../lib/server/http/calls.ts";
import {
  partParameter,
  streamAnswers,
  streamParameters,
  unstreamed,
} from "../../../../../lib/server/http/openapi/parts/files.ts";
import {
  closedShare,
  sharedPath,
  shareProofs,
} from "../../../../../lib/server/http/openapi/parts/links.ts";
import { pathRoute } from "../../../../../lib/server/http/request/request_path.ts";
import {
  needReadInPlace,
  visitByCall,
} from "../../../../../lib/server/http/request/share_requests.ts";
import { streamPart } from "../../../../../lib/server/http/request/query.ts";
import { streamAnswer } from "../../../../../lib/server/http/response/stream_answers.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/public/stream/:part/*?") };

/** Shared videos and music, converted while they are played. */
export const handler = calls({
  GET: {
    id: "streamShared",
    tag: "Shares",
    summary: "Stream a shared video or music in formats that browsers decode",
    description: "As `GET /api/stream/{part}/{path}`. 403 in a share that counts downloads. One " +
      "conversion runs for all visitors of the shares of one user.",
    who: "anyone",
    parameters: [partParameter, sharedPath, ...shareProofs, ...streamParameters],
    answers: streamAnswers,
    refusals: [...new Set([...closedShare, ...unstreamed])],
    async handle(ctx) {
      const part = streamPart(ctx.params.part);
      const visit = await visitByCall(ctx, `public/stream/${part}`);
      needReadInPlace(visit, "Cannot play the file", "view");
      const { access, owner, path } = visit;
      return await streamAnswer(ctx, access, path, { part, owner: `visitors ${owner.id}` });
    },
  },
});
