import type { TFunction } from "i18next";
import { isoOf } from "../../../shared/time.ts";
import type { RequestInfo } from "../../../shared/schemas/request.ts";
import { formatBytes, formatNumber, formatRelative } from "../../base/core/format.ts";

/** The uploads to a request, for its owner. */
export function requestNotes(
  t: TFunction,
  language: string,
  { files, bytes, lastReceived, maxFiles }: RequestInfo,
  now?: number,
): string[] {
  if (files === 0) return [t("request.nothing")];
  const count = formatNumber(files, language);
  const last = isoOf(lastReceived * 1000);
  return [
    t("request.received", {
      files: maxFiles > 0 ? `${count} / ${formatNumber(maxFiles, language)}` : count,
      size: formatBytes(bytes, language),
    }),
    t("request.lastReceived", { when: formatRelative(last, language, now) }),
  ];
}
