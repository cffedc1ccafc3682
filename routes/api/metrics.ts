import { DomainError } from "../../lib/shared/errors.ts";
import { calls, wrapped } from "../../lib/server/http/calls.ts";
import { requireBearer } from "../../lib/server/http/request/auth/credentials.ts";
import { exposition, expositionType } from "../../lib/server/core/metrics/families.ts";
import { readAllMetrics } from "../../lib/server/core/metrics/process_metrics.ts";
import { text } from "../../lib/server/http/openapi/answers.ts";

/** The counts of the process, for Prometheus, in whichever thread it asks. */
const declared = calls({
  GET: {
    id: "metrics",
    tag: "Server",
    summary: "Get the metrics, for Prometheus",
    description:
      "Counters of all threads of the process in the text format 0.0.4: requests by route, " +
      "method and class of status, their durations, uploads, passwords, sessions, jobs, " +
      "previews, writes of the store, memory and descriptors. They contain no path, name or " +
      "address of a user.\n\n" +
      "The call exists only if the server was started with a token for it " +
      "(`--metrics-token-file`); send that as `Authorization: Bearer`. Sessions are not " +
      "accepted, and the token opens nothing else. Without one the call is 404.",
    who: "scraper",
    answers: {
      200: text("The samples.", { type: "string" }),
    },
    refusals: ["not_found"],
    examples: `
$ curl -i $CUBBY/api/metrics
HTTP/1.1 401 Unauthorized
content-type: text/plain; charset=utf-8

Cannot read the metrics: the token is missing or wrong
$ curl -s $CUBBY/api/metrics -H "Authorization: Bearer a-token-for-scrapes"
…
# HELP cubby_threads Serving threads.
# TYPE cubby_threads gauge
cubby_threads 1
…
`,
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
  throw new DomainError("not_found", "Cannot answer the request: not found");
});
