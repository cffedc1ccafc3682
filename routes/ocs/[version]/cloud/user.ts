import { ownAccount } from "../../../../lib/server/http/ocs/accounts.ts";
import { ocsCalls } from "../../../../lib/server/http/ocs/ocs_calls.ts";

/** The account of the one who asks. */
export const handler = ocsCalls({ GET: { handle: ownAccount } });
