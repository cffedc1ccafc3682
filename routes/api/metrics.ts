import type { State } from "../../lib/server/define.ts";
import { DomainError } from "../../lib/shared/errors.ts";
import { methods } from "../../lib/server/http/middleware/methods.ts";
import { requireBearer } from "../../lib/server/http/request/auth/bearer_token.ts";
import { exposition, expositionType } from "../../lib/server/metrics/exposition.ts";
import { readAllMetrics } from "../../lib/server/metrics/process_metrics.ts";

/** The counts of the process, for Prometheus, in whichever thread it asks. */
const answer = methods<State>({
  GET({ req, state }) {
    const { metricsToken = "", workers } = state.cubby.config;
    requireBearer(req, metricsToken, "Cannot read the metrics");
    const headers = { "content-type": expositionType };
    return new Response(exposition(readAllMetrics(workers)), { headers });
  },
});

/** Nothing is here unless a token was given at the start. */
export const handler = (ctx: Parameters<typeof answer>[0]) => {
  if (ctx.state.cubby.config.metricsToken !== undefined) return answer(ctx);
  throw new DomainError("not_found", "Cannot answer this address: nothing is here");
};
