import type { Subtitles } from "./cue.ts";
import { writeTime } from "./time.ts";

/** Serializes WebVTT, with the cues sorted by time, as the format requires. */
export function writeVtt({ blocks, cues }: Subtitles): string {
  const pieces = ["WEBVTT\n", ...blocks.map((block) => `${block}\n`)];
  for (const { start, end, settings, text } of cues.toSorted((a, b) => a.start - b.start)) {
    const timing = `${writeTime(start)} --> ${writeTime(end)}`;
    pieces.push(`${timing}${settings === "" ? "" : ` ${settings}`}\n${text}\n`);
  }
  return pieces.join("\n");
}
