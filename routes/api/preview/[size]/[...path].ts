import type { RouteConfig } from "fresh";
import type { State } from "../../../../lib/server/define.ts";
import { accessFor } from "../../../../lib/server/http/request/access_for.ts";
import { methods } from "../../../../lib/server/http/middleware/methods.ts";
import { signedInOf } from "../../../../lib/server/http/middleware/sign_in.ts";
import { sizedPreviewAnswer } from "../../../../lib/server/http/response/preview_answers.ts";
import { previewKind } from "../../../../lib/server/http/request/query.ts";
import { requestPath } from "../../../../lib/server/http/request/request_path.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/preview/:size{/*}?" };

/** Previews of pictures. */
export const handler = methods<State>({
  async GET(ctx) {
    const kind = previewKind(ctx.params.size);
    const { path } = requestPath(ctx, `preview/${kind}`);
    const waitsAs = String(signedInOf(ctx).user.id);
    return await sizedPreviewAnswer(ctx, accessFor(ctx), path, { kind, waitsAs });
  },
});
