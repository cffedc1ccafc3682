import { useEffect } from "react";
import type { Entry } from "../../shared/api_types.ts";
import { useThumbs } from "./use_thumbs.ts";
import { EntryIcon } from "./EntryIcon.tsx";

interface ThumbProps {
  entry: Entry;
}

/** A small picture of a picture; the icon until it is there, and where there is none. */
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
