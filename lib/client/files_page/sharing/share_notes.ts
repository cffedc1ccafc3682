import type { TFunction } from "i18next";
import { isoOf } from "../../../shared/time.ts";
import { lesserRight, type RecipientRight } from "../../../shared/schemas/choices/choices.ts";
import type { ShareInfo } from "../../../shared/schemas/share.ts";
import type { Clock } from "../../../shared/clock.ts";
import { formatExact, formatList, formatRelative } from "../../base/core/format.ts";

/** Who may open a share. @param most that links may give to anyone */
export function accessNote(
  t: TFunction,
  language: string,
  { audience, anyone, anyoneMay = "download", viewOnly }: ShareInfo,
  most: RecipientRight,
): string {
  const all = t("links.general.anyone");
  const given = lesserRight(anyoneMay, most);
  const isPlain = given === "download" || viewOnly;
  const open = isPlain ? all : `${all} (${t(`links.rights.${given}`)})`;
  if (!audience) return open;
  const each = audience.map(({ name, may }) =>
    may === "download" || viewOnly ? name : `${name} (${t(`links.rights.${may}`)})`
  );
  if (anyone && !isPlain) return formatList([open, ...each], language);
  const names = formatList(each, language) || "–";
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

/**
 * When a share ends, for a list: in words, in full, and in RFC 3339; "" for never.
 *
 * @param expire seconds since 1970; 0 for never
 */
export function expiryOf(
  t: TFunction,
  language: string,
  expire: number,
  { now, timeZone }: Clock,
): { when: string; whenFull?: string; at: string } {
  if (expire === 0) return { when: t("sharing.neverExpires"), at: "" };
  const at = isoOf(expire * 1000);
  const when = t("sharing.expires", { when: formatRelative(at, language, now) });
  return { when, whenFull: formatExact(at, language, timeZone), at };
}
