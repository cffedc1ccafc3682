import type { TFunction } from "i18next";
import type { QuotaUsage } from "../../../shared/schemas/quota.ts";
import { formatBytes, formatNumber } from "../core/format.ts";

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
  return parts.join(", ");
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
export function quotaReason(t: TFunction, message: string): string {
  if (message.endsWith("the quota of its owner has no room for it")) return t("quota.ownerFull");
  const [, unit, left] = /of \d+ (bytes|files) has (\d+) left$/.exec(message) ?? [];
  if (unit === undefined) return t("errors.over_quota");
  const language = globalThis.document?.documentElement.lang || "en";
  return unit === "bytes"
    ? t("quota.free", { free: formatBytes(Number(left), language) })
    : t("quota.freeFiles", { free: formatNumber(Number(left), language) });
}
