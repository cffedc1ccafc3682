import type { TFunction } from "i18next";
import { isoOf } from "../../../shared/time.ts";
import type { ShareInfo } from "../../../shared/schemas/share.ts";
import { formatRelative } from "../../base/core/format.ts";

/** Notes on a share besides its lifetime: its uses, and that files are only shown. */
export function shareNotes(
  t: TFunction,
  language: string,
  { audience, downloadLimit = 0, downloads = 0, lastUsed, viewOnly }: ShareInfo,
  now?: number,
): string[] {
  const counts = downloadLimit > 0
    ? [t("links.ofLimit", { done: downloads, limit: downloadLimit })]
    : downloads > 0
    ? [t("links.downloads", { done: downloads })]
    : [];
  const used = lastUsed === undefined ? [] : [t("links.lastUsed", {
    when: formatRelative(isoOf(lastUsed * 1000), language, now),
  })];
  const names = audience?.map(({ name, may }) =>
    may === "download" || viewOnly ? name : `${name} (${t(`links.rights.${may}`)})`
  );
  const people = names && [t("links.onlyFor", { names: names.join(", ") || "–" })];
  return [...people ?? [], ...viewOnly ? [t("links.viewOnly")] : [], ...counts, ...used];
}
