import { ocsCalls } from "../../../../../../../../lib/server/http/ocs/ocs_calls.ts";
import { addShare, listShares } from "../../../../../../../../lib/server/http/ocs/shares.ts";

/** The user's own shares. */
export const handler = ocsCalls({ GET: { handle: listShares }, POST: { handle: addShare } });
