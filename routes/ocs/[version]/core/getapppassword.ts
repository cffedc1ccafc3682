import { makeAppPassword } from "../../../../lib/server/http/ocs/accounts.ts";
import { ocsCalls } from "../../../../lib/server/http/ocs/ocs_calls.ts";

/** An app password in place of the account's own, with which the request signs in. */
export const handler = ocsCalls({ GET: { handle: makeAppPassword } });
