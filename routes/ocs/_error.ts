import { define } from "../../lib/server/http/define.ts";
import { ocsError } from "../../lib/server/http/ocs/ocs_answer.ts";

/** All errors of OCS in its shape. */
export const handler = define.handlers(ocsError);
