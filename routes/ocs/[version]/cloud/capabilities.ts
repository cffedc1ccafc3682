import { capabilitiesFor } from "../../../../lib/server/http/ocs/capabilities.ts";
import { ocsCalls } from "../../../../lib/server/http/ocs/ocs_calls.ts";

/** The abilities of the server; without a sign-in its version and looks alone. */
export const handler = ocsCalls({ GET: { isPublic: true, handle: capabilitiesFor } });
