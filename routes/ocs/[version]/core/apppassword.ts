import { revokeAppPassword } from "../../../../lib/server/http/ocs/accounts.ts";
import { ocsCalls } from "../../../../lib/server/http/ocs/ocs_calls.ts";

/** The app password of the request, which ends when its account is removed from the client. */
export const handler = ocsCalls({ DELETE: { handle: revokeAppPassword } });
