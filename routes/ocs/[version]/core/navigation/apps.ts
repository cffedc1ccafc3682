import { ocsCalls } from "../../../../../lib/server/http/ocs/ocs_calls.ts";

/** The apps of the server, which desktop clients list in their menu: there are none. */
export const handler = ocsCalls({ GET: { handle: () => [] } });
