import { useEffect, useRef } from "react";
import { type EntryPath, parentOf } from "../../shared/path.ts";
import type { Files } from "./files.ts";
import { useFiles } from "./use_files.ts";

/** The folder on screen, or the one that holds the file on screen. */
export function presentFolder({ navigation, listing }: Pick<Files, "navigation" | "listing">) {
  const { path, folder } = navigation.place.value;
  const resource = listing.path.value === path ? listing.resource.value : null;
  const here: EntryPath = resource?.isDir ?? folder ? path : parentOf(path);
  return here;
}

/** Calls `close` once another place is shown, by the back button or otherwise. */
export function useLeftPlace(close: () => void): void {
  const { path } = useFiles().navigation.place.value;
  const first = useRef(path);
  useEffect(() => {
    if (path !== first.current) close();
  }, [path]);
}
