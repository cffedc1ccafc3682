import type { TFunction } from "i18next";

/**
 * How long to wait, as a moment to come: "in 40 seconds", "in 12 minutes".
 *
 * @param seconds rounded up to whole minutes from two minutes on
 */
function formatWait(seconds: number, language: string): string {
  const words = new Intl.RelativeTimeFormat(language);
  if (seconds < 120) return words.format(Math.ceil(seconds), "second");
  return words.format(Math.ceil(seconds / 60), "minute");
}

/** Why no attempt to sign in is heard now, and when one will be. */
export function throttledText(t: TFunction, language: string, retryAfter = 60): string {
  return t("login.throttled", { when: formatWait(retryAfter, language) });
}
