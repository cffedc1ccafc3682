import { useEffect, useState } from "react";
import type { EntryPath } from "../../shared/path.ts";
import { presentFolder } from "../listing/present_folder.ts";
import { reveal } from "../listing/reveal.ts";
import { Search } from "./search.ts";
import { useLeftPlace } from "../core/use_left_place.ts";
import { useFiles } from "../navigation/use_files.ts";
import { useApi } from "../core/use_site.ts";

/** An entry, and whether it is a folder. */
export interface Chosen {
  path: EntryPath;
  folder: boolean;
}

/** A search, and what can be done with what it finds. */
export interface SearchUse {
  search: Search;
  /** The folder that was on screen when the search began. */
  here: EntryPath;
  /** Goes to the folder of an entry and selects the entry there. */
  show: (chosen: Chosen) => void;
  /** Goes to the entry itself. */
  open: (chosen: Chosen) => void;
}

/**
 * A search that begins in the folder on screen and ends with the component.
 *
 * @param onLeave called when the user goes elsewhere, such as back: there it means nothing
 */
export function useSearch(onLeave: () => void): SearchUse {
  const files = useFiles();
  const api = useApi();
  const [{ search, here }] = useState(() => {
    const here = presentFolder(files);
    return { here, search: new Search({ api, here }) };
  });
  useEffect(() => () => search.close(), [search]);
  useLeftPlace(onLeave);
  return {
    search,
    here,
    show: ({ path }) => void reveal(files, path),
    open: ({ path, folder }) => files.navigation.go(path, { folder }),
  };
}
