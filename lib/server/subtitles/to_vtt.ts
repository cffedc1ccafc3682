import { isAss, parseAss } from "./ass.ts";
import { parseSrt } from "./srt.ts";
import { isVtt, parseVtt } from "./vtt.ts";
import { writeVtt } from "./write_vtt.ts";

/**
 * Turns subtitles of any kind into valid WebVTT. The kind is told by the text, since names are often
 * wrong; what is no subtitle leaves an empty one.
 */
export function toVtt(text: string): string {
  if (isVtt(text)) return writeVtt(parseVtt(text));
  const cues = isAss(text) ? parseAss(text) : parseSrt(text);
  return writeVtt({ blocks: [], cues });
}
