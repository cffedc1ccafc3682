import type { State } from "../../lib/server/define.ts";
import { accessFor } from "../../lib/server/http/request/access_for.ts";
import { methods } from "../../lib/server/http/middleware/methods.ts";
import { hashedPaths } from "../../lib/server/http/request/hashed_paths.ts";
import { jsonAnswer } from "../../lib/server/http/response/answers.ts";
import { thumbHashes } from "../../lib/server/images/thumb_hashes.ts";

/** The ThumbHashes of thumbnails in the cache, for many entries at once. */
export const handler = methods<State>({
  async POST(ctx) {
    const { config, previews } = ctx.state.cubby;
    const paths = await hashedPaths(ctx);
    const wanted = config.disableThumbnails ? [] : paths;
    return jsonAnswer({ hashes: await thumbHashes(previews, accessFor(ctx), wanted) });
  },
});
