import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { parsePath } from "../../../shared/path.ts";
import type { EntryType } from "../../../shared/schemas/choices/choices.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { usePage } from "../../base/core/page.ts";
import { type MediaStrip, NeighbourFinder, type Neighbours } from "./preview_neighbours.ts";
import { ImageViewport } from "./picture/image_viewport.ts";
import { inlineAddress, pictureAddresses, PreviewSource } from "./preview_source.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { useFileNews } from "../../files_page/live/use_file_news.ts";
import { useApi, useMay } from "../../base/core/use_site.ts";

/** The size up to which a neighbour without a smaller preview is preloaded, in bytes. */
const PRELOADED_BYTES = 10_000_000;

/** The state of a preview. */
export interface Viewer {
  /** The source of its content; null without permission. */
  source: PreviewSource | null;
  /** The viewport of an image. */
  viewport: ImageViewport;
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
  /**
   * Asks for confirmation, deletes the file and goes to the next one, or the previous, or the
   * folder.
   */
  remove: () => void;
  /** Goes to the folder. */
  close: () => void;
}

/** Creates the state of a preview, once per file. */
export function useViewer(entry: Entry): Viewer {
  const api = useApi();
  const { config } = usePage().data;
  const { listing, navigation, actions } = useFiles();
  const finder = useRef<NeighbourFinder | null>(null);
  finder.current ??= new NeighbourFinder({
    api: listing.source,
    order: () => listing.order,
    placeOf: (at) => listing.placeOf(at),
  });
  const { path } = parsePath(entry.path);
  const mayRead = useMay()("download") && entry.type !== "invalid_link";

  const addressesOf = (of: Entry) =>
    of.type === "image"
      ? pictureAddresses(of, api, config)
      : [inlineAddress(api, parsePath(of.path).path)];
  const source = useMemo(
    () => mayRead ? new PreviewSource({ api, at: path, addresses: addressesOf(entry) }) : null,
    [path, entry.modified],
  );
  const [viewport] = useState(() => new ImageViewport());
  const neighbours = finder.current.now.value;
  const strip = finder.current.strip.value;
  const { name } = listing.placeOf(path);
  const place = useMemo(() => strip.placeOf(name), [strip, name]);

  const look = async () => {
    await finder.current?.follow(shown.current);
    await finder.current?.count();
  };
  const onNews = async () => {
    finder.current?.outdated();
    await listing.reload();
    await look();
  };
  useFileNews(path, onNews, () => void listing.reload());

  const shown = useRef(path);
  shown.current = path;
  // At once: the neighbours of the file before are not those of this one.
  useLayoutEffect(() => void look(), [path]);
  useEffect(() => () => finder.current?.forget(), []);
  useLayoutEffect(() => {
    actions.successor = neighbours.next ?? neighbours.previous;
    return () => {
      actions.successor = null;
    };
  }, [actions, neighbours]);
  useEffect(() => {
    if (!mayRead) return;
    for (const near of [neighbours.next, neighbours.previous]) {
      if (near?.type !== "image") continue;
      const [first = "", whole] = addressesOf(near);
      if (whole !== undefined || near.size <= PRELOADED_BYTES) new Image().src = first;
    }
  }, [neighbours]);

  const turnTo = (to: Entry) => {
    listing.expect(to);
    navigation.go(parsePath(to.path).path, { folder: false, replace: true });
  };
  const close = () => navigation.leave();
  return {
    source,
    viewport,
    neighbours,
    strip,
    place,
    wantStrip: (from, to) => void finder.current?.want(from, to),
    async skipTo(types, again) {
      const present = listing.placeOf(shown.current).name;
      const found = await finder.current?.nextOf(types, present) ??
        (again ? await finder.current?.nextOf(types, null) : null);
      if (!found || found.path === shown.current) return false;
      turnTo(found);
      return true;
    },
    turnTo,
    close,
    async remove() {
      await actions.deleteSelection();
      finder.current?.forget();
      await look();
    },
  };
}
