import { ocsCalls } from "../../../../../../../../lib/server/http/ocs/ocs_calls.ts";

/** Shares of other servers that wait to be accepted: there are none. */
export const handler = ocsCalls({ GET: { handle: () => [] } });
