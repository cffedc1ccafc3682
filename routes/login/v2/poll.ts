import { define } from "../../../lib/server/http/define.ts";
import { pollLoginFlow } from "../../../lib/server/http/ocs/login_flow.ts";

/** A sync client asks whether its user has consented. */
export const handler = define.handlers({ POST: pollLoginFlow });
