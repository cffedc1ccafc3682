import type { RouteConfig } from "fresh";
import { define } from "../../lib/server/define.ts";
import { DomainError } from "../../lib/shared/errors.ts";
import { UNKNOWN_CALL } from "../../lib/server/http/middleware/sign_in.ts";

/** The last of the calls, so it answers what no other matches. */
export const config: RouteConfig = { routeOverride: UNKNOWN_CALL };

/** Refuses unknown calls, by any method. */
export const handler = define.handlers(() => {
  throw new DomainError("not_found", "Cannot answer this address: nothing is here");
});
