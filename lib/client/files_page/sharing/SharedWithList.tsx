import type { TFunction } from "i18next";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { Share2 } from "lucide";
import type { Clock } from "../../../shared/clock.ts";
import { entryByName } from "../../../shared/entry_by_name.ts";
import type { RecipientRight } from "../../../shared/schemas/choices/choices.ts";
import type { SharedWithMe } from "../../../shared/schemas/share.ts";
import { StatusScreen } from "../../../../components/StatusScreen.tsx";
import { usePage } from "../../base/core/page.ts";
import { useClock } from "../../base/core/use_clock.ts";
import { isoOf } from "../../../shared/time.ts";
import { formatRelative } from "../../base/core/format.ts";
import type { PlaceItem } from "../listing/place_rows.ts";
import { PlaceList } from "../listing/PlaceList.tsx";
import { expiryOf } from "./share_notes.ts";

interface SharedWithListProps {
  items: readonly SharedWithMe[];
  clock: Clock;
}

/** The shares for the user, each with a link to its page. */
export function SharedWithList({ items, clock }: SharedWithListProps) {
  const { t, i18n: { language } } = useTranslation();
  const { BaseURL } = usePage().data.config;
  const { now, timeZone } = useClock(clock);
  const rowOf = useCallback(
    ({ hash, name, owner, expire, created, may, isDir, hasPassword }: SharedWithMe): PlaceItem => ({
      id: hash,
      entry: {
        name: hasPassword ? t("sharing.passwordToo") : name || owner,
        path: "/",
        ...entryByName(name, isDir ?? false),
      },
      href: `${BaseURL}/share/${hash}/`,
      place: [
        // First, as phones cut the end.
        ...may === "download" ? [] : [noteOf(t, may)],
        t("share.by", { name: owner }),
        // Tells those apart whose names are not known.
        ...created ? [formatRelative(isoOf(created * 1000), language, now)] : [],
      ].join(" · "),
      ...expiryOf(t, language, expire, { now, timeZone }),
    }),
    [language, now, timeZone],
  );
  if (items.length === 0) {
    return (
      <StatusScreen
        glyph={Share2}
        title={t("places.noneTitle")}
        text={t("places.nothingShared")}
      />
    );
  }
  return (
    <PlaceList
      label={t("places.sharedWithMe")}
      items={items}
      rowOf={rowOf}
      columns={{ name: t("files.column.name"), modified: t("sharing.lifetime") }}
      sorting={null}
      actions={[]}
    />
  );
}

/** The rights that are more or less than downloading. */
function noteOf(t: TFunction, may: Exclude<RecipientRight, "download">): string {
  if (may === "view") return t("links.viewOnlyNote");
  return may === "edit" ? t("links.editNote") : t("links.uploadNote");
}
