import { ocsCalls } from "../../../../../../../../lib/server/http/ocs/ocs_calls.ts";

/** Shares of others that wait to be accepted: none does. */
export const handler = ocsCalls({ GET: { handle: () => [] } });
