import { favoriteKeys, folderViewKeys, recentKeys } from "../kv/keys/places.ts";
import type { Store } from "../kv/store.ts";
import { PlaceLists } from "./place_lists.ts";

/** Forgets the favourites, the recent files and the views of folders of a user who was deleted. */
export async function forgetPlaces(store: Store, userId: number): Promise<void> {
  for (const keys of [favoriteKeys, folderViewKeys, recentKeys]) {
    await new PlaceLists(store, keys, { keepsRemoved: true }).clear(userId);
  }
}
