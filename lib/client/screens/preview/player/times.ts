/**
 * A time as players write it: "3:07", "1:02:03".
 *
 * @param seconds a fraction is cut off
 */
export function formatTime(seconds: number): string {
  const parts = partsOf(seconds);
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => index === 0 ? `${part}` : `${part}`.padStart(2, "0")).join(":");
}

/** The part of `Intl.DurationFormat` that is used, which some browsers lack. */
interface DurationFormat {
  format(duration: { hours: number; minutes: number; seconds: number }): string;
}

interface DurationIntl {
  DurationFormat?: new (
    language: string,
    options: { style: "long"; secondsDisplay: "always" },
  ) => DurationFormat;
}

/** A time in words, for screen readers: "3 minutes, 7 seconds"; in digits where words are missing. */
export function spokenTime(seconds: number, language: string): string {
  const { DurationFormat } = Intl as DurationIntl;
  if (!DurationFormat) return formatTime(seconds);
  const [hours, minutes, rest] = partsOf(seconds);
  return new DurationFormat(language, { style: "long", secondsDisplay: "always" })
    .format({ hours, minutes, seconds: rest });
}

function partsOf(seconds: number): [hours: number, minutes: number, seconds: number] {
  const whole = Math.max(0, Math.floor(seconds) || 0);
  return [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
}
