import { TrashRecords } from "../trash/trash_records.ts";
import { checkGroups } from "./check_groups.ts";
import { checkHomes } from "./check_homes.ts";
import { checkLeftovers } from "./check_leftovers.ts";
import { checkPlaces } from "./check_places.ts";
import { checkRequests } from "./check_requests.ts";
import { checkShares } from "./check_shares.ts";
import { checkTrash } from "./check_trash.ts";
import { checkUploads } from "./check_uploads.ts";
import { checkUsers } from "./check_users.ts";
import type { Findings, Patient } from "./finding.ts";

/**
 * Checks the records of a store against each other and against the disk. A server may run on them:
 * what it may be about to change is left out.
 */
export async function* examine(patient: Patient): Findings {
  const tops = await new TrashRecords(patient.store).tops();
  yield* checkUsers(patient);
  yield* checkGroups(patient);
  yield* checkHomes(patient, tops);
  yield* checkShares(patient, tops);
  yield* checkRequests(patient, tops);
  yield* checkPlaces(patient, tops);
  yield* checkUploads(patient, tops);
  const withTrash = yield* checkLeftovers(patient);
  yield* checkTrash(patient, withTrash);
}
