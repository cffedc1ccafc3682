import type { State } from "../../lib/server/define.ts";
import { jsonAnswer } from "../../lib/server/http/response/answers.ts";
import { methods } from "../../lib/server/http/middleware/methods.ts";

/** Readiness probe: 503 while the served folder is lost or does not respond. */
export const handler = methods<State>({
  async GET(ctx) {
    const isServed = await ctx.state.cubby.rootWatch.state() === "served";
    return jsonAnswer(
      { status: isServed ? "OK" : "unavailable" },
      { status: isServed ? 200 : 503, headers: { "cache-control": "no-store" } },
    );
  },
});
