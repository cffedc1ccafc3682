import type { RouteConfig } from "fresh";
import { define } from "../../lib/server/http/define.ts";
import { DomainError } from "../../lib/shared/errors.ts";

/** With and without a trailing slash. */
export const config: RouteConfig = { routeOverride: "/remote.php/*?" };

/** All other addresses of sync clients: what they look for there is not served. */
export const handler = define.handlers(() => {
  throw new DomainError("not_found", "Cannot answer the request: not found");
});
