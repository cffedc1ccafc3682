import { useEffect, useMemo, useRef, useState } from "react";
import { parsePath } from "../../../shared/path.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { usePage } from "../../base/core/page.ts";
import { useApi, useMay } from "../../base/core/use_site.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { useFileNews } from "../../files_page/live/use_file_news.ts";
import { ImageViewport } from "./picture/image_viewport.ts";
import { inlineAddress, pictureAddresses, PreviewSource } from "./preview_source.ts";
import { type Neighbourhood, useNeighbourhood } from "./use_neighbourhood.ts";

/** The size up to which a neighbour without a smaller preview is preloaded, in bytes. */
const PRELOADED_BYTES = 10_000_000;

/** The state of a preview. */
export interface Viewer {
  /** The source of its content; null without permission. */
  source: PreviewSource | null;
  /** The viewport of an image. */
  viewport: ImageViewport;
  nearby: Neighbourhood;
}

/** Creates the state of a preview, once per file. */
export function useViewer(entry: Entry): Viewer {
  const api = useApi();
  const { config } = usePage().data;
  const { listing } = useFiles();
  const nearby = useNeighbourhood(entry, { counts: true, follows: true });
  const { neighbours } = nearby;
  const { path } = parsePath(entry.path);
  const mayRead = useMay()("download") && entry.type !== "invalid_link";
  const addressesOf = (of: Entry) =>
    of.type === "image"
      ? pictureAddresses(of, api, config)
      : [inlineAddress(api, parsePath(of.path).path)];
  const last = useRef<PreviewSource | null>(null);
  const version = useVersion(entry, () => !last.current?.trouble.peek());
  const source = last.current = useMemo(
    () => mayRead ? new PreviewSource({ api, at: path, addresses: addressesOf(entry) }) : null,
    [path, version],
  );
  const [viewport] = useState(() => new ImageViewport());
  useFileNews(path, nearby.refresh, () => void listing.reload());
  useEffect(() => {
    if (!mayRead) return;
    for (const near of [neighbours.next, neighbours.previous]) {
      if (near?.type !== "image") continue;
      const [first = "", whole] = addressesOf(near);
      if (whole !== undefined || near.size <= PRELOADED_BYTES) new Image().src = first;
    }
  }, [neighbours]);
  return { source, viewport, nearby };
}

/**
 * The version of a file that is shown: when it was changed. A film or a sound that only grows, such
 * as a recording, stays what it was, so that it plays on.
 *
 * @param isShown whether it is shown: what could not be is tried again
 */
function useVersion({ path, type, size, modified }: Entry, isShown: () => boolean): string {
  const shown = useRef({ path, size, modified, version: modified });
  const { current } = shown;
  const isPlayed = type === "video" || type === "audio";
  const isSame = path === current.path &&
    (modified === current.modified || isPlayed && size > current.size && isShown());
  const version = isSame ? current.version : modified;
  shown.current = { path, size, modified, version };
  return version;
}
