import { calls } from "../../lib/server/http/calls.ts";
import { jsonAnswer } from "../../lib/server/http/response/answers.ts";
import { isUsable } from "../../lib/server/core/kv/is_usable.ts";
import { json } from "../../lib/server/http/openapi/answers.ts";
import { statusSchema } from "../../lib/server/http/openapi/parts/administration.ts";

/**
 * Readiness probe: 503 while the served folder is lost or does not respond, or the store cannot be
 * read or written. A server that stops answers 503 to everything.
 */
export const handler = calls({
  GET: {
    id: "ready",
    tag: "Server",
    summary: "Tell whether files can be served",
    description:
      "For load balancers and supervisors. It is 503 while the served folder is not the one " +
      "that the server was started on (its disk was unmounted, or mounted again), while that " +
      "folder does not answer, and while the store cannot be read or written. In the first " +
      "case the server also ends.",
    who: "anyone",
    answers: {
      200: json("Files can be served.", statusSchema("OK")),
      503: json("Files cannot be served.", statusSchema("unavailable")),
    },
    examples: `
$ curl -i $CUBBY/health/ready
HTTP/1.1 200 OK
content-type: application/json; charset=utf-8

{"status":"OK"}
`,
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
