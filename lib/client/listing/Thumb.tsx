import { useEffect } from "react";
import type { Entry } from "../../shared/api_types.ts";
import { path } from "../api/api_path.ts";
import { EntryIcon } from "./EntryIcon.tsx";
import { useShared } from "../core/page.ts";
import { sideFor, Thumbs } from "./thumbs.ts";
import { useApi } from "../core/use_site.ts";

interface ThumbProps {
  entry: Entry;
}

/** A thumbnail; the icon until it is loaded, and where there is none. */
export function Thumb({ entry }: ThumbProps) {
  const thumbs = useThumbs();
  useEffect(() => thumbs.show(entry), [thumbs, entry.path, entry.modified, entry.size]);
  const url = thumbs.of(entry).value;
  if (!url) return <EntryIcon entry={entry} />;
  return (
    <img
      className="thumb"
      src={url}
      alt=""
      decoding="async"
      draggable={false}
      onError={() => thumbs.failed(entry)}
    />
  );
}

/** Thumbnails of the gallery. */
function useThumbs(): Thumbs {
  const api = useApi();
  return useShared(
    "thumbs",
    () =>
      new Thumbs({
        read: (at, side, key, signal) => api.thumb(at, side, key, signal),
        itself: (at, k) => api.address(path`/api/raw${at}`, { inline: true, k }),
        side: () => sideFor(tileWidth() * devicePixelRatio),
        urls: URL,
      }),
  );
}

/** All tiles have the same size, in CSS pixels; a thumbnail is as wide as its tile. */
function tileWidth(): number {
  return document.querySelector<HTMLElement>("[data-index]")?.offsetWidth ?? 0;
}
