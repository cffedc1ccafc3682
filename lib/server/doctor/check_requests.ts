import type { EntryPath } from "../../shared/path.ts";
import { stateOfPlace } from "../access/place_state.ts";
import {
  requestKey,
  requestPlaceKey,
  requestPlacesPrefix,
  requestsPrefix,
  userRequestKey,
  userRequestsPrefix,
} from "../kv/keys/requests.ts";
import { getAll } from "../kv/parts.ts";
import { digestsOf } from "../kv/path_digests.ts";
import type { FileRequest } from "../requests/request.ts";
import { dropRequest, putRequest } from "../requests/requests.ts";
import { hasExpired } from "../shares/share.ts";
import { checkIndex, isSettled } from "./check_shares.ts";
import { findUser } from "./check_users.ts";
import { type CheckContext, commit, type Findings } from "./finding.ts";

/** Checks that requests for files have an owner and a folder. */
export async function* checkRequests(
  { store, gate }: CheckContext,
  tops: readonly EntryPath[],
): Findings {
  for (const listed of await store.list<FileRequest>(requestsPrefix())) {
    const { place, userId } = listed.value;
    if (hasExpired(listed.value, Date.now())) continue;
    const owner = await findUser(store, userId);
    const name = `request for "${place}" by ${owner ? `"${owner.username}"` : "a user"}`;
    const drop = commit(store, (operation) => dropRequest(operation.check(listed), listed.value));
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
    const indexes = await getAll(store, indexKeysOf(listed.value));
    if (indexes.every(({ versionstamp }) => versionstamp !== null)) continue;
    yield {
      what: `${name}: it is missing from an index`,
      repair: commit(store, (operation) => putRequest(operation.check(listed), listed.value)),
    };
  }
  for (const prefix of [userRequestsPrefix(), requestPlacesPrefix([])]) {
    yield* checkIndex(store, prefix, requestKey, indexKeysOf);
  }
}

function indexKeysOf({ userId, hash, place }: FileRequest): Deno.KvKey[] {
  return [userRequestKey(userId, hash), requestPlaceKey(digestsOf(place), hash)];
}
