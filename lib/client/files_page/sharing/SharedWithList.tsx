import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { isoOf } from "../../../shared/time.ts";
import { Share2 } from "lucide";
import type { Clock } from "../../../shared/clock.ts";
import type { RecipientRight } from "../../../shared/schemas/choices/choices.ts";
import type { SharedWithMe } from "../../../shared/schemas/share.ts";
import { TableCard } from "../../../../components/Card.tsx";
import { StatusScreen } from "../../../../components/StatusScreen.tsx";
import { formatExact, formatRelative } from "../../base/core/format.ts";
import { usePage } from "../../base/core/page.ts";
import { useClock } from "../../base/core/use_clock.ts";

interface SharedWithListProps {
  items: readonly SharedWithMe[];
  clock: Clock;
}

/** The shares for the user, each with a link to its page. */
export function SharedWithList({ items, clock }: SharedWithListProps) {
  const { t, i18n: { language } } = useTranslation();
  const { BaseURL } = usePage().data.config;
  const { now, timeZone } = useClock(clock);
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
    <TableCard
      id="shared-with-me"
      title={t("files.area")}
      columns={[t("files.column.name"), t("places.sharedBy"), t("sharing.lifetime")]}
      plain
    >
      {items.map(({ hash, name, owner, expire, may }) => {
        const until = isoOf(expire * 1000);
        return (
          <tr key={hash}>
            <td className="table__main">
              <a className="table__link" href={`${BaseURL}/share/${hash}/`}>
                <bdi>{name || owner}</bdi>
              </a>
              {may !== "download" && <span className="table__note">{noteOf(t, may)}</span>}
            </td>
            <td data-label={t("places.sharedBy")}>
              <bdi>{owner}</bdi>
            </td>
            <td data-label={t("sharing.lifetime")}>
              {expire === 0
                ? t("sharing.never")
                : (
                  <time dateTime={until} title={formatExact(until, language, timeZone)}>
                    {formatRelative(until, language, now)}
                  </time>
                )}
            </td>
          </tr>
        );
      })}
    </TableCard>
  );
}

/** The rights that are more or less than downloading. */
function noteOf(t: TFunction, may: Exclude<RecipientRight, "download">): string {
  if (may === "view") return t("links.viewOnlyNote");
  return may === "edit" ? t("links.editNote") : t("links.uploadNote");
}
