import type { RouteConfig } from "fresh";
import type { State } from "../../../lib/server/define.ts";
import { accessFor } from "../../../lib/server/http/request/access_for.ts";
import { methods } from "../../../lib/server/http/middleware/methods.ts";
import { requestPath } from "../../../lib/server/http/request/request_path.ts";
import { subtitlesAnswer } from "../../../lib/server/http/response/subtitles_answer.ts";
import { openSubtitles, statSubtitles } from "../../../lib/server/subtitles/convert.ts";

/** With and without a trailing slash, which the file's name alone does not match. */
export const config: RouteConfig = { routeOverride: "/api/subtitle{/*}?" };

/** Subtitles of any kind, as WebVTT. */
export const handler = methods<State>({
  async GET(ctx) {
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
});
