import type { EntryPath } from "../../shared/path.ts";
import { stateOfPlace } from "../access/place_state.ts";
import { requestsPrefix, requestUseKey } from "../kv/keys/requests.ts";
import type { FileRequest } from "../requests/request.ts";
import { hasExpired } from "../shares/share.ts";
import { isSettled } from "./check_shares.ts";
import { findUser } from "./check_users.ts";
import { type CheckContext, commit, type Findings } from "./finding.ts";

/** Checks that requests for files have an owner and a folder. */
export async function* checkRequests(
  { store, gate }: CheckContext,
  tops: readonly EntryPath[],
): Findings {
  for (const listed of await store.list<FileRequest>(requestsPrefix())) {
    const { hash, place, userId } = listed.value;
    if (hasExpired(listed.value, Date.now())) continue;
    const owner = await findUser(store, userId);
    const name = `request for "${place}" by ${owner ? `"${owner.username}"` : "a user"}`;
    const drop = commit(
      store,
      (operation) => operation.check(listed).delete(listed.key).delete(requestUseKey(hash)),
    );
    if (!owner) {
      yield { what: `${name} who is gone`, repair: drop };
      continue;
    }
    const state = stateOfPlace(gate.spec(), place, tops);
    if (state.kind === "unknown") {
      yield { what: `${name}: ${state.reason}`, repair: "not checked" };
    } else if (state.kind === "gone" && await isSettled(store, listed)) {
      yield { what: `${name}: there is no such folder`, repair: drop };
    }
  }
}
