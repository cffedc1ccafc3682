import type { EntryPath } from "../../../shared/path.ts";
import { stateOfPlace } from "../../core/access/place_state.ts";
import { getAll } from "../../core/kv/parts.ts";
import { requestRecords } from "../../features/links/requests/request.ts";
import { hasExpired } from "../../features/links/shares/share.ts";
import { checkIndex, isSettled } from "./check_shares.ts";
import { findUser } from "./check_users.ts";
import { type CheckContext, commit, type Findings } from "./finding.ts";

/** Checks that requests for files have an owner and a folder. */
export async function* checkRequests(
  { store, gate }: CheckContext,
  tops: readonly EntryPath[],
): Findings {
  for (const listed of await requestRecords.entries(store)) {
    const { hash, place, userId } = listed.value;
    if (hasExpired(listed.value, Date.now())) continue;
    const owner = await findUser(store, userId);
    const name = `request for "${place}" by ${owner ? `"${owner.username}"` : "a user"}`;
    const drop = commit(
      store,
      (operation) => requestRecords.drop(operation, listed),
    );
    if (!owner) {
      yield { what: `${name} who is gone`, repair: drop };
      continue;
    }
    const state = stateOfPlace(gate.spec(), place, tops);
    if (state.kind === "unknown") {
      yield { what: `${name}: ${state.reason}`, repair: "not checked" };
    } else if (state.kind === "gone" && await isSettled(store, listed, listed)) {
      yield { what: `${name}: there is no such folder`, repair: drop };
      continue;
    }
    const indexes = await getAll(store, requestRecords.indexKeys(listed.value, hash));
    if (indexes.every(({ versionstamp }) => versionstamp !== null)) continue;
    yield {
      what: `${name}: it is missing from an index`,
      repair: commit(
        store,
        (operation) => requestRecords.put(operation.check(listed), [hash], listed.value),
      ),
    };
  }
  for (const index of requestRecords.indexes) yield* checkIndex(store, requestRecords, index);
}
