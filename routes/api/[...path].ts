import type { RouteConfig } from "fresh";
import { DomainError } from "../../lib/shared/errors.ts";
import { define } from "../../lib/server/http/define.ts";

/** The last of the calls, so it answers what no other matches, without a session. */
export const config: RouteConfig = { routeOverride: "/api/*?" };

/** Refuses unknown calls, by any method. */
export const handler = define.handlers(() => {
  throw new DomainError("not_found", "Cannot answer the request: not found");
});
