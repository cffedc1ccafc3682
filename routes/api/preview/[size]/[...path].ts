import type { RouteConfig } from "fresh";
import { calls } from "../../../../lib/server/http/calls.ts";
import { signedInOf } from "../../../../lib/server/http/middleware/sign_in.ts";
import { accessFor } from "../../../../lib/server/http/request/access_for.ts";
import { previewKind } from "../../../../lib/server/http/request/query.ts";
import { requestPath } from "../../../../lib/server/http/request/request_path.ts";
import { sizedPreviewAnswer } from "../../../../lib/server/http/response/preview_answers.ts";
import { parameterNamed } from "../../../../lib/server/openapi/parameters.ts";
import {
  previewAnswers,
  previewParameters,
  sizeParameter,
} from "../../../../lib/server/openapi/parts/previews.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/preview/:size{/*}?" };

/** Previews of pictures. */
export const handler = calls({
  GET: {
    id: "preview",
    tag: "Content",
    summary: "Show a picture smaller than it is",
    description: "Turned the right way up, in WebP for who accepts `image/webp` by name, in JPEG " +
      "for others. A RAW file has the picture in it, music its cover, a folder its first " +
      "pictures (as `thumb` alone) and, where the server has the programs, a video a picture " +
      "and a PDF its first page. Where previews are switched off, the picture itself is sent. " +
      "What has none, is broken or has over 100 megapixels is 501, and so is SVG: browsers show " +
      "the file itself.\n\nNeeds the permission to download.",
    token: "read",
    parameters: [sizeParameter, parameterNamed("Path"), ...previewParameters],
    answers: previewAnswers,
    refusals: [
      "invalid_option",
      "invalid_path",
      "not_a_file",
      "not_found",
      "precondition_failed",
      "throttled",
      "not_supported",
      "busy",
    ],
    async handle(ctx) {
      const kind = previewKind(ctx.params.size);
      const { path } = requestPath(ctx, `preview/${kind}`);
      const waitsAs = String(signedInOf(ctx).user.id);
      return await sizedPreviewAnswer(ctx, accessFor(ctx), path, { kind, waitsAs });
    },
  },
});
