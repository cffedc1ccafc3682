import { isAss, parseAss } from "./ass.ts";
import { parseSrt } from "./srt.ts";
import { isVtt, parseVtt } from "./vtt.ts";
import { writeVtt } from "./write_vtt.ts";

/**
 * Converts subtitles of any kind to valid WebVTT. The content determines the kind, since names are
 * often wrong; other content gives an empty file.
 */
export function toVtt(text: string): string {
  if (isVtt(text)) return writeVtt(parseVtt(text));
  const cues = isAss(text) ? parseAss(text) : parseSrt(text);
  return writeVtt({ blocks: [], cues });
}
