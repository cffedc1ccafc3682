import { Music, Play } from "lucide";
import { useEffect } from "react";
import type { Entry } from "../../../../shared/schemas/entry.ts";
import { MediaCalls, sideFor, Thumbs } from "./thumbs.ts";
import { EntryIcon } from "./EntryIcon.tsx";
import { isPhoto } from "./EntryIcon.tsx";
import { useShared } from "../../../base/core/page.ts";
import { useApi } from "../../../base/core/use_site.ts";
import { Icon } from "../../../../../components/Icon.tsx";

export { Scrubber } from "../photos/Scrubber.tsx";
export { PhotoLayout } from "../photos/photo_layout.ts";

/** The thumbnail of another kind of file has a mark. */
const GLYPHS = { video: Play, audio: Music } as const;

interface ThumbProps {
  entry: Entry;
  /** It stands in place of an icon, rather than in a tile. */
  small?: boolean;
}

/** The width of a small thumbnail, in CSS pixels. */
const SMALL = 40;

/**
 * A thumbnail. Until it is loaded, a blurred picture if the server knows one, else the icon, which
 * also stands where there is none.
 */
export function Thumb({ entry, small = false }: ThumbProps) {
  const thumbs = useThumbs(small);
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

/** Thumbnails of the gallery, or the small ones. */
function useThumbs(small: boolean): Thumbs {
  const api = useApi();
  return useShared(small ? "small-thumbs" : "thumbs", () => {
    const media = new MediaCalls(api.calls);
    return new Thumbs({
      read: (at, side, key, signal, entry) =>
        api.thumb(at, side, key, signal, !small && isPhoto(entry)),
      hashes: small ? undefined : (paths) => media.thumbHashes(paths),
      itself: (at, k) =>
        api.addressOf("GET /api/raw/{path}", { params: { path: at }, query: { inline: true, k } }),
      side: () => sideFor((small ? SMALL : tileHeight()) * devicePixelRatio),
      urls: URL,
    });
  });
}

/** Photos are in lines of much the same height, in CSS pixels, as high as their pictures. */
function tileHeight(): number {
  return document.querySelector<HTMLElement>("[data-index]")?.offsetHeight ?? 0;
}
