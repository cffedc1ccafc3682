import { isAss, parseAss } from "./ass.ts";
import { parseSrt } from "./srt.ts";
import { isVtt, parseVtt, type Subtitles } from "./vtt.ts";
import { writeTime } from "./cue.ts";

/**
 * Converts subtitles of any kind to valid WebVTT. The content determines the kind, since names are
 * often wrong; other content gives an empty file.
 */
export function toVtt(text: string): string {
  if (isVtt(text)) return writeVtt(parseVtt(text));
  const cues = isAss(text) ? parseAss(text) : parseSrt(text);
  return writeVtt({ blocks: [], cues });
}

/** Serializes WebVTT, with the cues sorted by time, as the format requires. */
function writeVtt({ blocks, cues }: Subtitles): string {
  const pieces = ["WEBVTT\n", ...blocks.map((block) => `${block}\n`)];
  for (const { start, end, settings, text } of cues.toSorted((a, b) => a.start - b.start)) {
    const timing = `${writeTime(start)} --> ${writeTime(end)}`;
    pieces.push(`${timing}${settings === "" ? "" : ` ${settings}`}\n${text}\n`);
  }
  return pieces.join("\n");
}
