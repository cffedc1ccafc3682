import { Clock3, Download, Eraser, FolderSearch, Share2 } from "lucide";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Clock } from "../../../shared/clock.ts";
import { encodePath, nameOf, parentOf, parsePath } from "../../../shared/path.ts";
import type { RecentEntry } from "../../../shared/schemas/places.ts";
import { minuteMs } from "../../../shared/time.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { formatBytes, formatExact, formatRelative } from "../../base/core/format.ts";
import { formatDay } from "../../base/core/format_details.ts";
import { usePage } from "../../base/core/page.ts";
import { useClock } from "../../base/core/use_clock.ts";
import { useApi, useMay, usePrompts, useToasts } from "../../base/core/use_site.ts";
import type { PlaceAction, PlaceItem } from "../listing/place_rows.ts";
import { PlaceList } from "../listing/PlaceList.tsx";
import { Button } from "../../../../components/Button.tsx";
import { StatusScreen } from "../../../../components/StatusScreen.tsx";

interface RecentListProps {
  items: readonly RecentEntry[];
  clock: Clock;
}

/** The files that the user has used last, by days: they open, and lead to their folders. */
export function RecentList({ items, clock }: RecentListProps) {
  const { t, i18n: { language } } = useTranslation();
  const { user, config: { BaseURL } } = usePage().data;
  const may = useMay();
  const api = useApi();
  const prompts = usePrompts();
  const toasts = useToasts();
  const { now, timeZone } = useClock(clock);
  const [shown, setShown] = useState(items);

  const folderOf = ({ path, name }: RecentEntry) => {
    const folder = encodePath(parentOf(parsePath(path).path), { folder: true });
    return `${BaseURL}/files${folder}?show=${encodeURIComponent(name)}`;
  };
  const rowOf = useCallback((entry: RecentEntry): PlaceItem => {
    const { path } = parsePath(entry.path);
    const isNow = now - Date.parse(entry.at) < minuteMs;
    return {
      id: entry.path,
      entry,
      href: `${BaseURL}/files${encodePath(path, { folder: false })}`,
      place: nameOf(parentOf(path)) || t("files.myFiles"),
      placeHref: folderOf(entry),
      size: formatBytes(entry.size, language),
      bytes: entry.size,
      when: isNow
        ? t(`places.usedNow.${entry.use}`)
        : t(`places.used.${entry.use}`, { when: formatRelative(entry.at, language, now) }),
      whenFull: formatExact(entry.at, language, timeZone),
      at: entry.at,
      group: formatDay(entry.at, language, { now, timeZone }),
    };
  }, [language, now, timeZone]);
  const clear = async () => {
    const question = { title: t("places.sureClear"), text: t("places.sureClearText") };
    if (await prompts.open("confirm", question) === null) return;
    const answer = await api.calls.done("DELETE /api/recent");
    if (answer.ok) setShown([]);
    else toasts.error(reasonOf(t, answer));
  };

  if (user?.keepRecent === false) {
    return (
      <StatusScreen glyph={Clock3} title={t("places.noneTitle")} text={t("places.offText")}>
        <a className="button" href={`${BaseURL}/settings/profile`}>{t("settings.title")}</a>
      </StatusScreen>
    );
  }
  if (shown.length === 0) {
    return (
      <StatusScreen glyph={Clock3} title={t("places.noneTitle")} text={t("places.noneText")} />
    );
  }
  const actions: PlaceAction<RecentEntry>[] = [{
    id: "show",
    label: t("search.keyShow"),
    glyph: FolderSearch,
    isSingle: true,
    run: ([entry]) => entry && location.assign(folderOf(entry)),
  }];
  if (may("download")) {
    actions.unshift({
      id: "download",
      label: t("commands.download"),
      glyph: Download,
      isSingle: true,
      run([entry]) {
        if (!entry) return;
        const params = { path: parsePath(entry.path).path };
        location.assign(api.addressOf("GET /api/raw/{path}", { params }));
      },
    });
  }
  if (may("share") && may("download")) {
    actions.push({
      id: "share",
      label: t("commands.share"),
      glyph: Share2,
      isSingle: true,
      run: ([entry]) =>
        entry && void prompts.open("share", {
          ...{ path: parsePath(entry.path).path, name: entry.name, isDir: entry.isDir },
        }),
    });
  }
  return (
    <PlaceList
      label={t("places.recent")}
      items={shown}
      rowOf={rowOf}
      columns={{
        name: t("files.column.name"),
        size: t("files.column.size"),
        modified: t("places.lastUse"),
      }}
      sorting={{ by: "modified", asc: false }}
      actions={actions}
      acts={
        <Button variant="quiet" glyph={Eraser} onClick={() => void clear()}>
          {t("places.clear")}
        </Button>
      }
    />
  );
}
