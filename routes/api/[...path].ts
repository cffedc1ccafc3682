import type { RouteConfig } from "fresh";
import { define } from "../../lib/server/define.ts";
import { DomainError } from "../../lib/shared/errors.ts";
import { UNKNOWN_CALL } from "../../lib/server/http/middleware/sign_in.ts";

/** Comes after every other call, so it has what none of them answers. */
export const config: RouteConfig = { routeOverride: UNKNOWN_CALL };

/** There is no such call, by any method. */
export const handler = define.handlers(() => {
  throw new DomainError("not_found", "Cannot answer this address: nothing is here");
});
