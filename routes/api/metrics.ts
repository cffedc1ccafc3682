import { DomainError } from "../../lib/shared/errors.ts";
import { calls, wrapped } from "../../lib/server/http/calls.ts";
import { requireBearer } from "../../lib/server/http/request/auth/bearer_token.ts";
import { exposition, expositionType } from "../../lib/server/metrics/exposition.ts";
import { readAllMetrics } from "../../lib/server/metrics/process_metrics.ts";
import { text } from "../../lib/server/openapi/answers.ts";

/** The counts of the process, for Prometheus, in whichever thread it asks. */
const declared = calls({
  GET: {
    id: "metrics",
    tag: "Server",
    summary: "Tell what the server has counted, for Prometheus",
    description:
      "In the text format 0.0.4, for all threads of the process. It is there only when " +
      "the server was started with `--metrics-token-file`, and asks for that token alone.",
    who: "scraper",
    answers: {
      200: text("The samples.", { type: "string" }),
    },
    refusals: ["not_found"],
    handle({ req, state }) {
      const { metricsToken = "", workers } = state.cubby.config;
      requireBearer(req, metricsToken, "Cannot read the metrics");
      const headers = { "content-type": expositionType };
      return new Response(exposition(readAllMetrics(workers)), { headers });
    },
  },
});

/** Nothing is here unless a token was given at the start. */
export const handler = wrapped(declared, async (ctx, answer) => {
  if (ctx.state.cubby.config.metricsToken !== undefined) return await answer(ctx);
  throw new DomainError("not_found", "Cannot answer this address: nothing is here");
});
