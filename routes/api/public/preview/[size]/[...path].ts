import type { RouteConfig } from "fresh";
import { calls } from "../../../../../lib/server/http/calls.ts";
import { pathRoute } from "../../../../../lib/server/http/request/request_path.ts";
import { previewKind } from "../../../../../lib/server/http/request/query.ts";
import {
  needReadInPlace,
  visitByCall,
} from "../../../../../lib/server/http/request/share_requests.ts";
import { sizedPreviewAnswer } from "../../../../../lib/server/http/response/preview_answers.ts";
import { counted } from "../../../../../lib/server/http/response/shared_download.ts";
import {
  previewAnswers,
  previewParameters,
  sizeParameter,
} from "../../../../../lib/server/http/openapi/parts/files.ts";
import {
  badVisit,
  sharedPath,
  shareProofs,
} from "../../../../../lib/server/http/openapi/parts/links.ts";
import { termsOf } from "../../../../../lib/server/features/links/shares/share.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: pathRoute("/api/public/preview/:size/*?") };

/** Previews of shared pictures, for visitors with the link and the password. */
export const handler = calls({
  GET: {
    id: "previewShared",
    tag: "Shares",
    summary: "Get a resized image of a shared file",
    description: "As `GET /api/preview/{size}/{path}`.",
    who: "anyone",
    parameters: [sizeParameter, sharedPath, ...shareProofs, ...previewParameters],
    answers: previewAnswers(),
    refusals: [...badVisit, "not_a_file", "not_supported", "precondition_failed"],
    examples: `
$ curl -i "$CUBBY/api/public/preview/thumb/$HASH/sea.jpg?token=$ENTRY"
HTTP/1.1 501 Not Implemented
content-type: text/plain; charset=utf-8

Cannot make a preview of "/sea.jpg": the picture cannot be read
`,
    async handle(ctx) {
      const kind = previewKind(ctx.params.size);
      const visit = await visitByCall(ctx, `public/preview/${kind}`);
      const { access, owner, path, share } = visit;
      if (kind === "pdf") needReadInPlace(visit, "Cannot convert the document");
      const isLimited = termsOf(share).downloadLimit !== 0;
      return await sizedPreviewAnswer(ctx, access, path, {
        kind,
        // The visitors of one owner wait in one line, which is not the owner's.
        waitsAs: `visitors ${owner.id}`,
        ...isLimited && { original: (answer) => counted(ctx, visit, answer) },
      });
    },
  },
});
