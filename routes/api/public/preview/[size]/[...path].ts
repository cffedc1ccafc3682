import type { RouteConfig } from "fresh";
import type { State } from "../../../../../lib/server/define.ts";
import { methods } from "../../../../../lib/server/http/middleware/methods.ts";
import { sizedPreviewAnswer } from "../../../../../lib/server/http/response/preview_answers.ts";
import { previewKind } from "../../../../../lib/server/http/request/query.ts";
import { counted } from "../../../../../lib/server/http/response/shared_download.ts";
import { termsOf } from "../../../../../lib/server/shares/share.ts";
import { visitByCall } from "../../../../../lib/server/http/request/share_requests.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/public/preview/:size{/*}?" };

/** Previews of shared pictures, for visitors with the link and the password. */
export const handler = methods<State>({
  async GET(ctx) {
    const kind = previewKind(ctx.params.size);
    const visit = await visitByCall(ctx, `public/preview/${kind}`);
    const { access, owner, path, share } = visit;
    const isLimited = termsOf(share).downloadLimit !== 0;
    return await sizedPreviewAnswer(ctx, access, path, {
      kind,
      // The visitors of one owner wait in one line, which is not the owner's.
      waitsAs: `visitors ${owner.id}`,
      ...isLimited && { original: (answer) => counted(ctx, visit, answer) },
    });
  },
});
