/**
 * How long to wait, as a moment to come: "in 40 seconds", "in 12 minutes".
 *
 * @param seconds rounded up to whole minutes from two minutes on
 */
export function formatWait(seconds: number, language: string): string {
  const words = new Intl.RelativeTimeFormat(language);
  if (seconds < 120) return words.format(Math.ceil(seconds), "second");
  return words.format(Math.ceil(seconds / 60), "minute");
}
