import { effect } from "@preact/signals";
import { useEffect, useRef, useState } from "react";
import { type EntryPath, nameOf, parentOf } from "../../../shared/path.ts";
import { reveal } from "../../base/files/reveal.ts";
import { presentFolder, useFiles, useLeftPlace } from "../../base/files/use_files.ts";
import { Search } from "./search.ts";
import { addressOf, askedBy } from "./search_query.ts";
import { useShared } from "../../base/core/page.ts";
import { useApi } from "../../base/core/use_site.ts";

/** An entry, whether it is a folder, and the line of a text that was found in it. */
export interface Chosen {
  path: EntryPath;
  folder: boolean;
  line?: number;
}

/** A search, and the actions on its results. */
export interface SearchUse {
  search: Search;
  /** The open folder at the start of the search. */
  here: EntryPath;
  /** Goes to the folder of an entry and selects the entry there. */
  show: (chosen: Chosen) => void;
  /** Opens the entry itself. */
  open: (chosen: Chosen) => void;
  /** Ends the search: the address no longer has it, unless a result was opened. */
  end: () => void;
}

/** The last search whose result was opened, and the address to which the way back leads. */
interface LeftSearch {
  address: string;
  search: Search | null;
}

/**
 * A search that starts in the open folder and ends with the component. Its query is part of the
 * page's address; the way back to that address leads to the same results at the same place.
 *
 * @param onLeave called on navigation, such as back: the results no longer apply
 */
export function useSearch(onLeave: () => void): SearchUse {
  const files = useFiles();
  const api = useApi();
  const left = useShared<LeftSearch>("left-search", () => ({ address: "", search: null }));
  const hasLeft = useRef(false);
  const [{ search, here }] = useState(() => {
    const here = presentFolder(files);
    const known = left.address === presentAddress() ? left.search : null;
    if (known?.status.peek() === "searching") known.again();
    const asked = askedBy(location.search) ?? undefined;
    return { here, search: known ?? new Search({ api, here, asked }) };
  });
  useEffect(() => () => search.close(), [search]);
  useEffect(() =>
    effect(() => {
      const asked = search.sent.value;
      writeAddress(asked ? addressOf(asked) : "");
    }), [search]);
  useLeftPlace(() => {
    hasLeft.current = true;
    onLeave();
  });

  const leave = (to: EntryPath) => {
    hasLeft.current = true;
    Object.assign(left, { address: presentAddress(), search });
    if (files.navigation.place.peek().path === to) files.navigation.stay();
  };
  return {
    search,
    here,
    show({ path }) {
      const folder = parentOf(path);
      leave(folder);
      void reveal(files, folder, [nameOf(path)]);
    },
    open({ path, folder, line }) {
      leave(path);
      files.navigation.go(path, { folder, line });
    },
    end: () => hasLeft.current || writeAddress(""),
  };
}

function presentAddress(): string {
  return location.pathname + location.search;
}

/** Writes the search into the page's address, or none; the history gets no new entry. */
function writeAddress(query: string): void {
  if (location.search === query || query === "" && askedBy(location.search) === null) return;
  history.replaceState(history.state, "", location.pathname + query);
}
