import { calls } from "../../lib/server/http/calls.ts";
import { jsonAnswer } from "../../lib/server/http/response/answers.ts";
import { isUsable } from "../../lib/server/kv/is_usable.ts";
import { json } from "../../lib/server/openapi/answers.ts";
import { statusSchema } from "../../lib/server/openapi/parts/server.ts";

/**
 * Readiness probe: 503 while the served folder is lost or does not respond, or the store cannot be
 * read or written. A server that stops answers 503 to everything.
 */
export const handler = calls({
  GET: {
    id: "ready",
    tag: "Server",
    summary: "Tell whether files can be served",
    description: "For balancers and supervisors; needs no token. While the served folder is not " +
      "the one that the server was started on (its disk was unmounted), or does not answer, or " +
      "while the store cannot be read or written, it is 503.",
    who: "anyone",
    answers: {
      200: json("They can.", statusSchema("OK")),
      503: json("They can't.", statusSchema("unavailable")),
    },
    async handle(ctx) {
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
  },
});
