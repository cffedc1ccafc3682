import { effect } from "@preact/signals";
import type { EntryPath } from "../../../shared/path.ts";
import type { Listing } from "../../files_page/listing/listing.ts";
import type { Navigation } from "../navigation/navigation.ts";

/** The dependencies of {@linkcode reveal}. */
export interface RevealOptions {
  navigation: Pick<Navigation, "go" | "guard" | "place">;
  listing: Listing;
}

/**
 * Opens a folder, selects entries of it, scrolls to the row of the first one and focuses it. Entries
 * that no longer exist are left out.
 */
export async function reveal(
  options: RevealOptions,
  folder: EntryPath,
  names: readonly string[],
): Promise<void> {
  const { navigation, listing } = options;
  const [first = ""] = names;
  if (navigation.place.peek().path !== folder) {
    // Ask about unsaved changes first.
    if (!navigation.guard.isFree && !await navigation.guard.mayLeave()) return;
    navigation.go(folder);
  }
  if (!await arrival(options, folder)) return;
  const find = () => listing.rows.peek().indexOf(first);
  // A large folder is read around the first one.
  if (find() === -1) await listing.open(folder, first);
  if (listing.path.peek() !== folder) return;
  const index = find();
  if (names.length > 1) listing.selection.selectNames(names);
  else if (index !== -1) listing.selection.only(index);
  if (index !== -1) listing.cursor.call(index);
}

/** Waits until a folder is open; false on failure, or if the user went elsewhere. */
function arrival({ navigation, listing }: RevealOptions, folder: EntryPath): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const stop = effect(() => {
    const status = listing.status.value;
    const isRead = listing.opening.value === null && !listing.refreshing.value;
    if (navigation.place.value.path !== folder) resolve(false);
    else if (isRead && listing.path.value === folder && status !== "loading") {
      resolve(status === "ready");
    }
  });
  return promise.finally(stop);
}
