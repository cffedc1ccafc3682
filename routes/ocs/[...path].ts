import type { RouteConfig } from "fresh";
import { define } from "../../lib/server/http/define.ts";
import { unknownCallAnswer } from "../../lib/server/http/ocs/ocs_answer.ts";

/** The last of the calls: it answers what no other matches, by any method. */
export const config: RouteConfig = { routeOverride: "/ocs/*?" };

/** Calls that are not here. */
export const handler = define.handlers(unknownCallAnswer);
