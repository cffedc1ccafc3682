import { define } from "../../../../lib/server/http/define.ts";
import { beginLoginFlow } from "../../../../lib/server/http/ocs/login_flow.ts";

/** A sync client begins to sign in by its user's browser. */
export const handler = define.handlers({ POST: beginLoginFlow });
