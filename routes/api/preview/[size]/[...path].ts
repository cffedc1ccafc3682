import type { RouteConfig } from "fresh";
import type { State } from "../../../../lib/server/define.ts";
import { DomainError } from "../../../../lib/shared/errors.ts";
import { accessFor } from "../../../../lib/server/http/request/access_for.ts";
import { methods } from "../../../../lib/server/http/middleware/methods.ts";
import { refuseAsCode } from "../../../../lib/server/http/response/not_as_code.ts";
import {
  originalAnswer,
  previewAnswer,
} from "../../../../lib/server/http/response/preview_answers.ts";
import { sideOption } from "../../../../lib/server/http/request/query.ts";
import { requestPath } from "../../../../lib/server/http/request/request_path.ts";
import { thumbWith } from "../../../../lib/server/images/preview.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/preview/:size{/*}?" };

/** Previews of pictures. */
export const handler = methods<State>({
  async GET(ctx) {
    refuseAsCode(ctx.req);
    const kind = ctx.params.size;
    if (kind !== "thumb" && kind !== "big") {
      throw new DomainError("not_found", "Cannot answer this address: nothing is here");
    }
    const { path } = requestPath(ctx, `preview/${kind}`);
    const size = kind === "thumb" ? thumbWith(sideOption(ctx.url.searchParams)) : kind;
    const { disableThumbnails, disablePreviewResize } = ctx.state.cubby.config;
    const isOff = kind === "thumb" ? disableThumbnails : disablePreviewResize;
    const answer = isOff ? originalAnswer : previewAnswer;
    return await answer(ctx, accessFor(ctx), path, size);
  },
});
