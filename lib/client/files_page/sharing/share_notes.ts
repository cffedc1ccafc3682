import type { TFunction } from "i18next";
import { isoOf } from "../../../shared/time.ts";
import type { ShareInfo } from "../../../shared/schemas/share.ts";
import { formatRelative } from "../../base/core/format.ts";

/** Who may open a share. */
export function accessNote(t: TFunction, { audience, anyone, viewOnly }: ShareInfo): string {
  if (!audience) return t("links.general.anyone");
  const names =
    audience.map(({ name, may }) =>
      may === "download" || viewOnly ? name : `${name} (${t(`links.rights.${may}`)})`
    ).join(", ") || "–";
  return t(anyone ? "links.anyoneAnd" : "links.onlyFor", { names });
}

/** Notes on a share besides its lifetime: its uses, and that files are only shown. */
export function shareNotes(
  t: TFunction,
  language: string,
  { downloadLimit = 0, downloads = 0, lastUsed, viewOnly }: ShareInfo,
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
  return [...viewOnly ? [t("links.viewOnly")] : [], ...counts, ...used];
}
