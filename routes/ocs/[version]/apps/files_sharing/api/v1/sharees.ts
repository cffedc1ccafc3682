import { ocsCalls } from "../../../../../../../lib/server/http/ocs/ocs_calls.ts";
import { findSharees } from "../../../../../../../lib/server/http/ocs/sharees.ts";

/** Whom the user may share with. */
export const handler = ocsCalls({ GET: { handle: findSharees } });
