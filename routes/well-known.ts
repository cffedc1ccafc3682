import { HttpError, type RouteConfig } from "fresh";
import { define } from "../lib/server/http/define.ts";

/** The folder begins with a dot, which names of files here do not. */
export const config: RouteConfig = { routeOverride: "/.well-known/*" };

/**
 * No service of RFC 8615: no calendars, no contacts, no sign-in of OpenID Connect here. Clients that
 * look for one must not be sent to the sign-in page.
 */
export const handler = define.handlers(() => {
  throw new HttpError(404);
});
