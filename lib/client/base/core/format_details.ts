import type { TFunction } from "i18next";
import type { Clock } from "../../../shared/clock.ts";
import { dayMs } from "../../../shared/time.ts";
import { formatMonth } from "./format.ts";

/**
 * A waiting time as text: "in 40 seconds", "in 12 minutes".
 *
 * @param seconds rounded up to whole minutes from two minutes on
 */
function formatWait(seconds: number, language: string): string {
  const words = new Intl.RelativeTimeFormat(language);
  if (seconds < 120) return words.format(Math.ceil(seconds), "second");
  return words.format(Math.ceil(seconds / 60), "minute");
}

/** The message after throttled sign-ins, with the time of the next possible attempt. */
export function throttledText(t: TFunction, language: string, retryAfter = 60): string {
  return t("login.throttled", { when: formatWait(retryAfter, language) });
}

/**
 * The day of a time for people: "Today", "Yesterday", "Friday, November 27, 2026".
 *
 * @param time RFC 3339
 */
export function formatDay(time: string, language: string, { now, timeZone }: Clock): string {
  const dayOf = (at: number) =>
    new Intl.DateTimeFormat("en-CA-u-ca-gregory", {
      ...{ timeZone, year: "numeric", month: "2-digit", day: "2-digit" },
    }).format(at);
  const day = dayOf(Date.parse(time));
  const ago = (Date.parse(dayOf(now)) - Date.parse(day)) / dayMs;
  if (ago !== 0 && ago !== 1) return formatMonth(day, language);
  const words = new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-ago, "day");
  return words.charAt(0).toLocaleUpperCase(language) + words.slice(1);
}

/** A time still to pass, for people: "40 sec", "12 min", "3 hr". */
export function formatLeft(seconds: number, language: string): string {
  const [unit, size] = seconds < 90
    ? ["second", 1] as const
    : seconds < 5400
    ? ["minute", 60] as const
    : ["hour", 3600] as const;
  const format = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" });
  return format.format(Math.ceil(seconds / size));
}

/** Permission bits as `ls` shows them, and as `chmod` takes them: "rwxr-xr-x (755)". */
export function formatPermissions(mode: number): string {
  const letters = [6, 3, 0].map((shift) => {
    const bits = (mode >> shift) & 7;
    return (bits & 4 ? "r" : "-") + (bits & 2 ? "w" : "-") + (bits & 1 ? "x" : "-");
  });
  return `${letters.join("")} (${(mode & 0o777).toString(8).padStart(3, "0")})`;
}
