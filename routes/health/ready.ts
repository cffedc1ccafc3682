import type { State } from "../../lib/server/define.ts";
import { jsonAnswer } from "../../lib/server/http/response/answers.ts";
import { methods } from "../../lib/server/http/middleware/methods.ts";
import { isUsable } from "../../lib/server/kv/is_usable.ts";

/**
 * Readiness probe: 503 while the served folder is lost or does not respond, or the store cannot be
 * read or written. A server that stops answers 503 to everything.
 */
export const handler = methods<State>({
  async GET(ctx) {
    const { rootWatch, store, config } = ctx.state.cubby;
    const [root, hasStore] = await Promise.all([
      rootWatch.state(),
      isUsable(store, config.database),
    ]);
    const isReady = root === "served" && hasStore;
    return jsonAnswer(
      { status: isReady ? "OK" : "unavailable" },
      { status: isReady ? 200 : 503, headers: { "cache-control": "no-store" } },
    );
  },
});
