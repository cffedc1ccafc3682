import { ocsCalls } from "../../../../../../../../lib/server/http/ocs/ocs_calls.ts";
import {
  editShare,
  removeShare,
  showShare,
} from "../../../../../../../../lib/server/http/ocs/shares.ts";

/** One of the user's own shares. */
export const handler = ocsCalls({
  GET: { handle: showShare },
  PUT: { handle: editShare },
  DELETE: { handle: removeShare },
});
