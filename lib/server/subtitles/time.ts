/** A time in SRT and WebVTT: hours are optional, and the fraction begins with "," or ".". */
const time = String.raw`(?:(\d{1,4}):)?(\d{1,3}):(\d{1,2})(?:[.,:](\d{1,9}))?`;

const timing = new RegExp(String.raw`^\s*${time}\s*-{1,3}>\s*${time}(?:\s+([^]*))?$`);

/** Start and end of a cue in milliseconds, and the rest of the line. */
export interface Timing {
  start: number;
  end: number;
  rest: string;
}

/** Parses `00:00:01,000 --> 00:00:02,500 X1:40`; null for any other line. */
export function readTiming(line: string): Timing | null {
  if (!line.includes("->")) return null;
  const match = timing.exec(line.trimEnd());
  if (!match) return null;
  const [, startHours, startMinutes, startSeconds, startFraction, ...others] = match;
  const [endHours, endMinutes, endSeconds, endFraction, rest = ""] = others;
  return {
    start: milliseconds(startHours, startMinutes, startSeconds, startFraction),
    end: milliseconds(endHours, endMinutes, endSeconds, endFraction),
    rest,
  };
}

/** Milliseconds of a time from its decimal digits; the fraction is of a second. */
export function milliseconds(
  hours = "0",
  minutes = "0",
  seconds = "0",
  fraction = "0",
): number {
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return whole * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0"));
}

/** Formats a time for WebVTT: "01:02:03.456". */
export function writeTime(milliseconds: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  const seconds = milliseconds / 1000;
  const fraction = String(milliseconds % 1000).padStart(3, "0");
  return `${two(seconds / 3600)}:${two(seconds / 60 % 60)}:${two(seconds % 60)}.${fraction}`;
}
