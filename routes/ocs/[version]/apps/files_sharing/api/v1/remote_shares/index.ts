import { ocsCalls } from "../../../../../../../../lib/server/http/ocs/ocs_calls.ts";

/** Shares of other servers, of which there are none. */
export const handler = ocsCalls({ GET: { handle: () => [] } });
