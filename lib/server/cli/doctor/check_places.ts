import { type EntryPath, isInside } from "../../../shared/path.ts";
import { stateOfPlace } from "../../core/access/place_state.ts";
import { pendingChanges } from "../../files/entry_observers.ts";
import type { Collection } from "../../core/kv/collection.ts";
import type { Store } from "../../core/kv/store.ts";
import {
  favoriteLists,
  type ListedPlace,
  PlaceLists,
  recentLists,
} from "../../features/places/place_lists.ts";
import { findUser } from "./check_users.ts";
import { type CheckContext, commit, type Findings } from "./finding.ts";

/** Lists of one kind. */
type Lists<T extends ListedPlace = ListedPlace> = Collection<readonly T[], [userId: number]>;

/**
 * Checks that favourites and lists of recent files have a user, that what is starred is there, and
 * that the indexes name the lists and no others.
 */
export async function* checkPlaces(context: CheckContext, tops: readonly EntryPath[]): Findings {
  yield* checkLists(context.store, favoriteLists, "favourites");
  yield* checkLists(context.store, recentLists, "recent files");
  yield* checkFavorites(context, tops);
  yield* checkIndex(context.store, favoriteLists);
  yield* checkIndex(context.store, recentLists);
}

async function* checkLists<T extends ListedPlace>(
  store: Store,
  lists: Lists<T>,
  noun: string,
): Findings {
  for (const { key } of await lists.entries(store)) {
    const userId = Number(key[1]);
    if (await findUser(store, userId)) continue;
    yield {
      what: `${noun} of the user ${userId} who is gone`,
      repair: async () => {
        await lists.remove(store, userId);
        return true;
      },
    };
  }
}

async function* checkFavorites(
  { store, gate }: CheckContext,
  tops: readonly EntryPath[],
): Findings {
  const lists = new PlaceLists(store, favoriteLists);
  for (const { key, value } of await favoriteLists.entries(store)) {
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
  const pending = await pendingChanges.list(store);
  return pending.some(({ from }) => isInside(place, from));
}

/** Records of an index that name no list, and entries of lists that are missing in it. */
async function* checkIndex<T extends ListedPlace>(store: Store, lists: Lists<T>): Findings {
  const listed = new Map<string, Deno.KvKey>();
  const indexed = new Map<string, Deno.KvKey>();
  const prefixes = lists.indexes.map((index) => index.prefix());
  for (const prefix of prefixes) {
    for (const { key } of await store.list(prefix)) indexed.set(textOf(key), key);
  }
  for (const { key, value } of await lists.entries(store)) {
    for (const wanted of lists.indexKeys(value, Number(key[1]))) listed.set(textOf(wanted), wanted);
  }
  for (const [text, key] of [...indexed, ...listed]) {
    if (indexed.has(text) && listed.has(text)) continue;
    const userId = Number(key.at(-1));
    const list = await lists.entry(store, userId);
    const index = await store.get(key);
    const isListed = lists.indexKeys(list.value ?? [], userId).some((each) =>
      textOf(each) === text
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
