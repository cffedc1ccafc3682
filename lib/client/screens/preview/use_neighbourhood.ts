import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { parsePath } from "../../../shared/path.ts";
import type { EntryType } from "../../../shared/schemas/choices/choices.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { type MediaStrip, NeighbourFinder, type Neighbours } from "./preview_neighbours.ts";

/** The files beside an open one, and the ways to them. */
export interface Neighbourhood {
  neighbours: Neighbours;
  /** The files of its folder that can be shown. */
  strip: MediaStrip;
  /** Its place in the strip, from 0; -1 when it is not there, or not known yet. */
  place: number;
  /** Loads the files at some places of the strip, `to` exclusive. */
  wantStrip: (from: number, to: number) => void;
  /** Goes to the next file of some types; with `again` to the first after the last. */
  skipTo: (types: ReadonlySet<EntryType>, again: boolean) => Promise<boolean>;
  /** Goes to a neighbour, replacing this file's history entry. */
  turnTo: (entry: Entry) => void;
  /** Reads the folder again: something in it has changed. */
  refresh: () => Promise<void>;
  /**
   * Asks for confirmation, deletes the file and goes to the next one, or the previous, or the
   * folder.
   */
  remove: () => void;
}

/**
 * Finds the neighbours of the open file.
 *
 * @param options.counts reads the rest of the folder, too, so that places are exact
 * @param options.follows after a deletion a neighbour is shown, not the folder
 */
export function useNeighbourhood(
  entry: Entry,
  options: { counts: boolean; follows: boolean },
): Neighbourhood {
  const { counts, follows } = options;
  const { listing, navigation, actions } = useFiles();
  const { path } = parsePath(entry.path);
  const finder = useMemo(
    () =>
      new NeighbourFinder({
        api: listing.source,
        order: () => listing.order,
        placeOf: (at) => listing.placeOf(at),
      }),
    [listing],
  );
  const neighbours = finder.now.value;
  const strip = finder.strip.value;
  const { name } = listing.placeOf(path);
  const place = useMemo(() => strip.placeOf(name), [strip, name]);
  const shown = useRef(path);
  shown.current = path;

  const look = async () => {
    await finder.follow(shown.current);
    if (counts) await finder.count();
  };
  // At once: the neighbours of the file before are not those of this one.
  useLayoutEffect(() => void look(), [path]);
  useEffect(() => () => finder.forget(), []);
  useLayoutEffect(() => {
    actions.successor = follows ? neighbours.next ?? neighbours.previous : null;
    return () => {
      actions.successor = null;
    };
  }, [actions, neighbours]);

  const turnTo = (to: Entry) => {
    listing.expect(to);
    navigation.go(parsePath(to.path).path, { folder: false, replace: true });
  };
  return {
    neighbours,
    strip,
    place,
    wantStrip: (from, to) => void finder.want(from, to),
    async skipTo(types, again) {
      const present = listing.placeOf(shown.current).name;
      const found = await finder.nextOf(types, present) ??
        (again ? await finder.nextOf(types, null) : null);
      if (!found || found.path === shown.current) return false;
      turnTo(found);
      return true;
    },
    turnTo,
    async refresh() {
      finder.outdated();
      await listing.reload();
      await look();
    },
    async remove() {
      await actions.deleteSelection();
      finder.forget();
      await look();
    },
  };
}
