import { type EntryPath, parentOf } from "../../shared/path.ts";
import type { Files } from "../navigation/files.ts";

/** The folder on screen, or the one that holds the file on screen. */
export function presentFolder({ navigation, listing }: Pick<Files, "navigation" | "listing">) {
  const { path, folder } = navigation.place.value;
  const resource = listing.path.value === path ? listing.resource.value : null;
  const here: EntryPath = resource?.isDir ?? folder ? path : parentOf(path);
  return here;
}
