import type { TFunction } from "i18next";
import type { Failure } from "../../../shared/result.ts";
import type { QuotaUsage } from "../../../shared/schemas/quota.ts";
import { formatBytes, formatList, formatNumber } from "../core/format.ts";

/** The reason of a failure, as a sentence in the user's language. */
export function reasonOf(t: TFunction, { code, message, retryAfter }: Failure): string {
  if (code === "over_quota") return quotaReason(t, message);
  if (code === "throttled") return t("errors.throttled", { count: retryAfter ?? 60 });
  const text = t(`errors.${code}`);
  // A server newer than this page may have codes that it does not know: without a text.
  return text === `errors.${code}` ? t("errors.unknown") : text;
}

/** A failed action, as the end of a translation key: `failures.delete`, `failures.deleteOne`. */
type EntryAction = "delete" | "move" | "copy";

/**
 * The reasons of several failures: one sentence for each kind of failure.
 *
 * @param failures by the entries' names
 * @param unlisted how many more failed, for reasons that the server did not list
 */
export function explain(
  t: TFunction,
  action: EntryAction,
  failures: ReadonlyMap<string, Failure>,
  unlisted = 0,
): string[] {
  const byReason = new Map<string, string[]>();
  for (const [name, why] of failures) {
    const reason = reasonOf(t, why);
    const names = byReason.get(reason);
    if (names) names.push(name);
    else byReason.set(reason, [name]);
  }
  const texts = [...byReason].map(([reason, names]) =>
    names.length === 1
      ? t(`failures.${action}One`, { name: names.join(), reason })
      : t(`failures.${action}Many`, { count: names.length, reason })
  );
  return unlisted > 0 ? [...texts, t("failures.more", { amount: unlisted })] : texts;
}

/** How much of a quota is in use, for people: "3.2 GB of 10 GB, 12 of 100 files". */
export function quotaWords(t: TFunction, usage: QuotaUsage, language: string): string {
  const { bytes, files, usedBytes, usedFiles } = usage;
  if (usedBytes === null || usedFiles === null) return t("quota.counting");
  const parts: string[] = [];
  if (bytes > 0) {
    const [used, total] = [formatBytes(usedBytes, language), formatBytes(bytes, language)];
    parts.push(t("quota.bytesOf", { used, total }));
  }
  if (files > 0) {
    const [used, total] = [formatNumber(usedFiles, language), formatNumber(files, language)];
    parts.push(t("quota.filesOf", { used, total }));
  }
  return formatList(parts, language);
}

/** The part of a quota that is in use: of the limit that is nearer. */
export function quotaShare({ bytes, files, usedBytes, usedFiles }: QuotaUsage): number {
  const shares = [
    bytes > 0 ? (usedBytes ?? 0) / bytes : 0,
    files > 0 ? (usedFiles ?? 0) / files : 0,
  ];
  return Math.max(...shares);
}

/**
 * The reason of a refusal by a quota, from the server's own sentence: it says how much is free, but
 * not of the quota of another.
 */
function quotaReason(t: TFunction, message: string): string {
  if (message.endsWith("the quota of its owner has no room for it")) return t("quota.ownerFull");
  const [, unit, left] = /of \d+ (bytes|files) has (\d+) left$/.exec(message) ?? [];
  if (unit === undefined) return t("errors.over_quota");
  const language = globalThis.document?.documentElement.lang || "en";
  return unit === "bytes"
    ? t("quota.free", { free: formatBytes(Number(left), language) })
    : t("quota.freeFiles", { free: formatNumber(Number(left), language) });
}
