import { ocsCalls } from "../../../../../../../lib/server/http/ocs/ocs_calls.ts";
import { suggestSharees } from "../../../../../../../lib/server/http/ocs/sharees.ts";

/** Suggestions of whom to share with. */
export const handler = ocsCalls({ GET: { handle: suggestSharees } });
