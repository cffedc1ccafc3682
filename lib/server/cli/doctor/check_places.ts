import { type EntryPath, isInside } from "../../../shared/path.ts";
import { stateOfPlace } from "../../core/access/place_state.ts";
import type { PendingChange } from "../../files/entry_observers.ts";
import { favoriteKeys, type PlaceListKeys, recentKeys } from "../../core/kv/keys/places.ts";
import { pendingChangesPrefix } from "../../core/kv/keys/files.ts";
import { digestsOf } from "../../core/kv/path_digests.ts";
import type { Store } from "../../core/kv/store.ts";
import type { StoredFavorite } from "../../features/places/favorites.ts";
import { type ListedPlace, PlaceLists } from "../../features/places/place_lists.ts";
import { findUser } from "./check_users.ts";
import { type CheckContext, commit, type Findings } from "./finding.ts";

/**
 * Checks that favourites and lists of recent files have a user, that what is starred is there, and
 * that the indexes name the lists and no others.
 */
export async function* checkPlaces(context: CheckContext, tops: readonly EntryPath[]): Findings {
  yield* checkLists(context.store, favoriteKeys, "favourites");
  yield* checkLists(context.store, recentKeys, "recent files");
  yield* checkFavorites(context, tops);
  yield* checkIndex(context.store, favoriteKeys);
  yield* checkIndex(context.store, recentKeys);
}

async function* checkLists(store: Store, keys: PlaceListKeys, noun: string): Findings {
  for (const { key } of await store.list(keys.lists())) {
    const userId = Number(key[1]);
    if (await findUser(store, userId)) continue;
    yield {
      what: `${noun} of the user ${userId} who is gone`,
      repair: async () => {
        await new PlaceLists(store, keys, { keepsRemoved: true }).clear(userId);
        return true;
      },
    };
  }
}

async function* checkFavorites(
  { store, gate }: CheckContext,
  tops: readonly EntryPath[],
): Findings {
  const lists = new PlaceLists<StoredFavorite>(store, favoriteKeys, { keepsRemoved: true });
  for (const { key, value } of await store.list<StoredFavorite[]>(favoriteKeys.lists())) {
    const userId = Number(key[1]);
    const user = await findUser(store, userId);
    if (!user) continue;
    for (const { path, place } of value) {
      const state = stateOfPlace(gate.spec(), place, tops);
      if (state.kind !== "gone" || await isMoving(store, place)) continue;
      yield {
        what: `favourite "${place}" of "${user.username}": there is no such entry`,
        repair: async () => {
          let isFound = false;
          await lists.change(userId, (items) => {
            const rest = items.filter((item) => item.path !== path || item.place !== place);
            isFound = rest.length < items.length;
            return isFound ? rest : null;
          });
          return isFound;
        },
      };
    }
  }
}

/** Whether a change is under way that a place is about to follow. */
async function isMoving(store: Store, place: EntryPath): Promise<boolean> {
  const pending = await store.list<PendingChange>(pendingChangesPrefix());
  return pending.some(({ value }) => isInside(place, value.from));
}

/** Records of an index that name no list, and entries of lists that are missing in it. */
async function* checkIndex(store: Store, keys: PlaceListKeys): Findings {
  const listed = new Map<string, Deno.KvKey>();
  const indexed = new Map<string, Deno.KvKey>();
  for (const { key } of await store.list(keys.index())) indexed.set(textOf(key), key);
  for (const { key, value } of await store.list<ListedPlace[]>(keys.lists())) {
    for (const { place } of value) {
      const wanted = [...keys.index(digestsOf(place)), Number(key[1])];
      listed.set(textOf(wanted), wanted);
    }
  }
  for (const [text, key] of [...indexed, ...listed]) {
    if (indexed.has(text) && listed.has(text)) continue;
    const userId = Number(key.at(-1));
    const list = await store.get<ListedPlace[]>(keys.list(userId));
    const index = await store.get(key);
    const isListed = (list.value ?? []).some(({ place }) =>
      textOf([...keys.index(digestsOf(place)), userId]) === text
    );
    if (isListed === (index.versionstamp !== null)) continue;
    yield {
      what: `index "${String(key[0])}": a record of the user ${userId} ` +
        (isListed ? "is missing" : "names nothing that is listed"),
      repair: commit(store, (operation) => {
        const checked = operation.check(list, index);
        return isListed ? checked.set(key, null) : checked.delete(key);
      }),
    };
  }
}

function textOf(key: Deno.KvKey): string {
  return key.map((part) => part instanceof Uint8Array ? part.toHex() : String(part)).join();
}
