import { useEffect } from "react";
import type { Entry } from "../../../../shared/schemas/entry.ts";
import { thumbSides } from "../../../../shared/schemas/choices/choices.ts";
import { useShared } from "../../../base/core/page.ts";
import { useApi } from "../../../base/core/use_site.ts";
import { EntryIcon } from "./EntryIcon.tsx";
import { MediaCalls, Thumbs } from "./thumbs.ts";

/** The characters and lines that the largest tile has room for. */
const MOST_CHARACTERS = 2000;
const MOST_LINES = 40;

interface TextTileProps {
  entry: Entry;
}

/**
 * The beginning of a text, as a page that the style sheet draws: neither find-in-page nor screen
 * readers meet it. Until it is loaded, and where there is none, the icon.
 */
export function TextTile({ entry }: TextTileProps) {
  const texts = useTexts();
  useEffect(() => texts.show(entry), [texts, entry.path, entry.modified, entry.size]);
  const text = texts.of(entry).value;
  if (!text) return <EntryIcon entry={entry} />;
  return (
    <span className="thumb text-tile" data-text={text}>
      <EntryIcon entry={entry} />
    </span>
  );
}

/** The beginnings of texts, read like thumbnails: few at a time, of what rests in view. */
function useTexts(): Thumbs<string> {
  const api = useApi();
  return useShared("thumbs text", () => {
    const media = new MediaCalls(api.calls);
    return new Thumbs<string>({
      read: (at, _side, key, signal) => media.textThumb(at, key, signal),
      itself: () => "",
      side: () => thumbSides[0],
      urls: { createObjectURL: beginningOf, revokeObjectURL: () => {} },
    });
  });
}

function beginningOf(text: string): string {
  return text.slice(0, MOST_CHARACTERS).split(/\r\n?|\n/, MOST_LINES).join("\n").trimEnd();
}
