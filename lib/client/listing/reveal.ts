import { effect } from "@preact/signals";
import { type EntryPath, nameOf, parentOf } from "../../shared/path.ts";
import type { Listing } from "./listing.ts";
import type { Navigation } from "../navigation/navigation.ts";

/** What it takes to show an entry where it lies. */
export interface RevealOptions {
  navigation: Pick<Navigation, "go" | "guard" | "place">;
  listing: Listing;
}

/**
 * Goes to the folder of an entry, selects the entry there and has its row brought into view with
 * the focus on it, however far down it is. An entry that has gone meanwhile leaves one in its folder.
 */
export async function reveal(options: RevealOptions, at: EntryPath): Promise<void> {
  const { navigation, listing } = options;
  const folder = parentOf(at);
  const name = nameOf(at);
  if (navigation.place.peek().path !== folder) {
    // Once it is known what becomes of what is unsaved: until then the user is not on the way.
    if (!navigation.guard.isFree && !await navigation.guard.mayLeave()) return;
    navigation.go(folder);
  }
  if (!await arrival(options, folder)) return;
  const find = () => listing.rows.peek().indexOf(name);
  if (find() === -1) await listing.open(folder, name);
  if (find() === -1 || listing.path.peek() !== folder) return;
  listing.selection.only(find());
  listing.cursor.call(find());
}

/** Waits until a folder is on screen; false when it can't be shown, or the user went elsewhere. */
function arrival({ navigation, listing }: RevealOptions, folder: EntryPath): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const stop = effect(() => {
    const status = listing.status.value;
    const isShown = listing.path.value === folder && !listing.refreshing.value;
    if (navigation.place.value.path !== folder) resolve(false);
    else if (isShown && status !== "loading") resolve(status === "ready");
  });
  return promise.finally(stop);
}
