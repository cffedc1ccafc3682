import { Clock3, Eraser, FolderSearch } from "lucide";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Clock } from "../../../shared/clock.ts";
import { encodePath, nameOf, parentOf, parsePath } from "../../../shared/path.ts";
import type { RecentEntry } from "../../../shared/schemas/places.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { formatBytes, formatExact, formatRelative } from "../../base/core/format.ts";
import { lazy } from "../../base/core/lazy.ts";
import { usePage } from "../../base/core/page.ts";
import { useClock } from "../../base/core/use_clock.ts";
import { useApi, useLazy, usePrompts, useToasts } from "../../base/core/use_site.ts";
import { EntryIcon, usePictured } from "../listing/thumbs/EntryIcon.tsx";
import { Button } from "../../../../components/Button.tsx";
import { TableCard } from "../../../../components/Card.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { StatusScreen } from "../../../../components/StatusScreen.tsx";

const thumbs = lazy(() => import("../listing/thumbs/Thumb.tsx"));

interface RecentListProps {
  items: readonly RecentEntry[];
  clock: Clock;
}

/** The files that the user has used last: they open, and lead to their folders. */
export function RecentList({ items, clock }: RecentListProps) {
  const { t } = useTranslation();
  const { user, config } = usePage().data;
  const api = useApi();
  const prompts = usePrompts();
  const toasts = useToasts();
  const [shown, setShown] = useState(items);
  const isPictured = usePictured(false);
  const code = useLazy(thumbs, shown.some(isPictured));

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
        <a className="button" href={`${config.BaseURL}/settings/profile`}>{t("settings.title")}</a>
      </StatusScreen>
    );
  }
  if (shown.length === 0) {
    return (
      <StatusScreen glyph={Clock3} title={t("places.noneTitle")} text={t("places.noneText")} />
    );
  }
  return (
    <TableCard
      id="recent"
      title={t("files.area")}
      aside={<Button glyph={Eraser} onClick={() => void clear()}>{t("places.clear")}</Button>}
      columns={[
        t("files.column.name"),
        t("trash.place"),
        t("files.column.size"),
        t("places.lastUse"),
      ]}
    >
      {shown.map((entry) => (
        <RecentLine
          key={entry.path}
          entry={entry}
          clock={clock}
          picture={code && isPictured(entry)
            ? <code.Thumb entry={entry} small />
            : <EntryIcon entry={entry} />}
        />
      ))}
    </TableCard>
  );
}

interface RecentLineProps {
  entry: RecentEntry;
  clock: Clock;
  picture: ReactNode;
}

function RecentLine({ entry, clock, picture }: RecentLineProps) {
  const { t, i18n: { language } } = useTranslation();
  const { BaseURL } = usePage().data.config;
  const { now, timeZone } = useClock(clock);
  const { name, size, use, at } = entry;
  const { path } = parsePath(entry.path);
  const folder = parentOf(path);
  const hrefOf = (to: typeof path, isFolder: boolean) =>
    `${BaseURL}/files${encodePath(to, { folder: isFolder })}`;
  return (
    <tr>
      <td className="table__main">
        <a className="table__link recent__file" href={hrefOf(path, false)}>
          {picture}
          <bdi>{name}</bdi>
        </a>
      </td>
      <td className="table__path" data-label={t("trash.place")}>
        <a className="table__link" href={hrefOf(folder, true)} title={folder}>
          <bdi>{nameOf(folder) || t("files.myFiles")}</bdi>
        </a>
      </td>
      <td className="table__size" data-label={t("files.column.size")}>
        {formatBytes(size, language)}
      </td>
      <td className="table__size">
        <time dateTime={at} title={formatExact(at, language, timeZone)}>
          {t(`places.used.${use}`, { when: formatRelative(at, language, now) })}
        </time>
      </td>
      <td className="table__acts">
        <a
          className="button button--quiet button--icon"
          href={`${hrefOf(folder, true)}?show=${encodeURIComponent(name)}`}
          aria-label={t("search.showHit", { name })}
          title={t("search.keyShow")}
        >
          <Icon glyph={FolderSearch} />
        </a>
      </td>
    </tr>
  );
}
