import { TrashRecords } from "../../files/trash/trash_records.ts";
import { checkGroups } from "./check_groups.ts";
import { checkHomes } from "./check_homes.ts";
import { checkLeftovers } from "./check_leftovers.ts";
import { checkPlaces } from "./check_places.ts";
import { checkRequests } from "./check_requests.ts";
import { checkShares } from "./check_shares.ts";
import { checkTrash } from "./check_trash.ts";
import { checkUploads } from "./check_uploads.ts";
import { checkUsers } from "./check_users.ts";
import type { CheckContext, Findings } from "./finding.ts";

/**
 * Checks the records of a store against each other and against the disk. A server may run on them:
 * what it may be about to change is left out.
 */
export async function* examine(context: CheckContext): Findings {
  const tops = await new TrashRecords(context.store).tops();
  yield* checkUsers(context);
  yield* checkGroups(context);
  yield* checkHomes(context, tops);
  yield* checkShares(context, tops);
  yield* checkRequests(context, tops);
  yield* checkPlaces(context, tops);
  yield* checkUploads(context, tops);
  const withTrash = yield* checkLeftovers(context);
  yield* checkTrash(context, withTrash);
}
