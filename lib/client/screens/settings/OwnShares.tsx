import { Link, Pencil, Share2, Trash2 } from "lucide";
import { type ReactNode, useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { Clock } from "../../../shared/clock.ts";
import { entryByName } from "../../../shared/entry_by_name.ts";
import type { ListPage } from "../../../shared/list_page.ts";
import { encodePath, nameOf, parentOf, parsePath } from "../../../shared/path.ts";
import type { SharedItem } from "../../../shared/settings_data.ts";
import { usePage } from "../../base/core/page.ts";
import { useClock } from "../../base/core/use_clock.ts";
import { isolated } from "../../base/core/format.ts";
import { ListSearch } from "../../base/ui/lists/PagedTable.tsx";
import type { PlaceItem } from "../../files_page/listing/place_rows.ts";
import { PlaceList } from "../../files_page/listing/PlaceList.tsx";
import { expiryOf, shareNotes } from "../../files_page/sharing/share_notes.ts";
import { useShareList } from "./SharesTab.tsx";
import { StatusScreen } from "../../../../components/StatusScreen.tsx";

interface OwnSharesProps {
  shares: ListPage<SharedItem>;
  clock: Clock;
  /** Shown below the rows. */
  children?: ReactNode;
}

/** The links that the user has made, each with its entry, its terms and its uses. */
export function OwnShares({ shares, clock, children }: OwnSharesProps) {
  const { t, i18n: { language } } = useTranslation();
  const { BaseURL } = usePage().data.config;
  const { now, timeZone } = useClock(clock);
  const { shown, remove, edit, copy } = useShareList(shares, true);
  const rowOf = useCallback((share: SharedItem): PlaceItem => {
    const { path } = parsePath(share.path);
    const isDir = share.state === "folder";
    const notes = [
      ...share.state === "gone" ? [t("places.gone")] : [],
      ...share.name === undefined ? [] : [isolated(`/share/${share.name}`)],
      ...share.hasPassword ? [t("sharing.passwordToo")] : [],
      ...shareNotes(t, language, share, now),
    ];
    const folder = nameOf(parentOf(path)) || t("files.myFiles");
    return {
      id: share.hash,
      entry: {
        ...{ name: nameOf(path) || t("files.myFiles"), path },
        ...entryByName(nameOf(path), isDir),
        ...share.file,
        ...share.state === "gone" && { type: "invalid_link" },
      },
      href: share.state === undefined || share.state === "gone"
        ? `${BaseURL}/share/${share.name ?? share.hash}`
        : `${BaseURL}/files${encodePath(path, { folder: isDir })}`,
      place: [isolated(folder), ...notes].join(" · "),
      ...expiryOf(t, language, share.expire, { now, timeZone }),
    };
  }, [language, now, timeZone]);
  const { items, next, busy, complaint, query } = shown;
  if (items.length === 0 && next === null && query === "") {
    return (
      <>
        <StatusScreen
          glyph={Share2}
          title={t("files.emptyTitle")}
          text={t("settings.shares.emptyText")}
        />
        {children}
      </>
    );
  }
  const single = { isSingle: true } as const;
  return (
    <PlaceList
      label={t("places.shared")}
      items={items}
      rowOf={rowOf}
      columns={{ name: t("files.column.name"), modified: t("sharing.lifetime") }}
      sorting={null}
      more={next === null
        ? null
        : { href: next, isBusy: busy, complaint, read: () => void shown.more() }}
      search={<ListSearch list={shown} />}
      actions={[
        {
          ...{ id: "copy", label: t("sharing.copyLink"), glyph: Link, ...single },
          run: ([share]) => share && void copy(share),
        },
        {
          ...{ id: "edit", label: t("links.edit"), glyph: Pencil, ...single },
          run: ([share]) => share && void edit(share),
        },
        {
          ...{ id: "delete", label: t("sharing.delete"), glyph: Trash2, ...single },
          ...{ isDanger: true, hasDeleteKey: true },
          run: ([share]) => share && void remove(share),
        },
      ]}
    >
      {children}
    </PlaceList>
  );
}
