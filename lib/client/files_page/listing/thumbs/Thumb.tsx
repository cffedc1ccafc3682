import { Music, Play } from "lucide";
import { useEffect } from "react";
import type { Entry } from "../../../../shared/schemas/entry.ts";
import { MediaCalls, sideFor, Thumbs } from "./thumbs.ts";
import { EntryIcon } from "./EntryIcon.tsx";
import { isPhoto, isText } from "./EntryIcon.tsx";
import { TextTile } from "./TextTile.tsx";
import { useShared } from "../../../base/core/page.ts";
import { useApi } from "../../../base/core/use_site.ts";
import { Icon } from "../../../../../components/Icon.tsx";

export { Scrubber } from "../photos/Scrubber.tsx";
export { PhotoLayout } from "../photos/photo_layout.ts";

/** The thumbnail of another kind of file has a mark. */
const GLYPHS = { video: Play, audio: Music } as const;

/** In place of the icon of a row, in a square tile, or as a photo of its own shape. */
type ThumbPlace = "row" | "tile" | "photo";

interface ThumbProps {
  entry: Entry;
  /** It stands in place of an icon, rather than in a tile. */
  small?: boolean;
  /** It fills a square, rather than a tile of its own shape. */
  square?: boolean;
}

/** The width of a small thumbnail, in CSS pixels. */
const SMALL = 40;

/** What stands in place of an icon: the beginning of a text, or a thumbnail. */
export function Thumb(props: ThumbProps) {
  return isText(props.entry) ? <TextTile entry={props.entry} /> : <Picture {...props} />;
}

/**
 * A thumbnail. Until it is loaded, a blurred picture if the server knows one, else the icon, which
 * also stands where there is none.
 */
function Picture({ entry, small = false, square = false }: ThumbProps) {
  const thumbs = useThumbs(small ? "row" : square ? "tile" : "photo");
  useEffect(() => thumbs.show(entry), [thumbs, entry.path, entry.modified, entry.size]);
  const url = thumbs.of(entry).value;
  const blur = thumbs.blurOf(entry).value;
  const shown = url ?? blur;
  if (!shown) return <EntryIcon entry={entry} />;
  const glyph = entry.type === "video" || entry.type === "audio" ? GLYPHS[entry.type] : null;
  return (
    <span className="thumb" data-kind={entry.isDir ? "folder" : entry.type}>
      <img
        src={shown}
        alt=""
        decoding={url ? "async" : "sync"}
        draggable={false}
        data-blur={url ? undefined : true}
        onError={() => thumbs.failed(entry)}
      />
      {glyph && <Icon glyph={glyph} />}
      {entry.isDir && <EntryIcon entry={entry} />}
    </span>
  );
}

/** The thumbnails of one kind of places. */
function useThumbs(place: ThumbPlace): Thumbs {
  const api = useApi();
  return useShared(`thumbs ${place}`, () => {
    const media = new MediaCalls(api.calls);
    return new Thumbs<Blob>({
      read: (at, side, key, signal, entry) =>
        api.thumb(at, side, key, signal, place === "photo" && isPhoto(entry)),
      hashes: place === "row" ? undefined : (paths) => media.thumbHashes(paths),
      itself: (at, k) =>
        api.addressOf("GET /api/raw/{path}", { params: { path: at }, query: { inline: true, k } }),
      side: () => sideFor((place === "row" ? SMALL : sideOf(place)) * devicePixelRatio),
      urls: URL,
    });
  });
}

/**
 * The side that decides in CSS pixels: photos are in lines of much the same height, as high as
 * their pictures; tiles are as wide as theirs.
 */
function sideOf(place: ThumbPlace): number {
  const list = document.querySelector("dialog[open] .listing") ?? document;
  const { offsetWidth = 0, offsetHeight = 0 } = list.querySelector<HTMLElement>("[data-index]") ??
    {};
  return place === "photo" ? offsetHeight : offsetWidth;
}
