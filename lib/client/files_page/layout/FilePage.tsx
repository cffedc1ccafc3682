import { Download, ExternalLink } from "lucide";
import { useTranslation } from "react-i18next";
import { parsePath, ROOT } from "../../../shared/path.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { formatBytes, formatExact } from "../../base/core/format.ts";
import { useClock } from "../../base/core/use_clock.ts";
import type { Clock } from "../../../shared/clock.ts";
import { useApi, useMay } from "../../base/core/use_site.ts";
import { displayName } from "../../../shared/entry_names.ts";
import { EntryIcon } from "../listing/thumbs/EntryIcon.tsx";
import { Icon } from "../../../../components/Icon.tsx";

interface FilePageProps {
  entry: Entry;
  /** The server's clock, for the first rendering. */
  clock: Clock;
}

/** The page of one file. */
export function FilePage({ entry, clock }: FilePageProps) {
  const { t, i18n: { language } } = useTranslation();
  const api = useApi();
  const { timeZone } = useClock(clock);
  const download = api.rawAddress(parsePath(entry.path).path);
  const mayRead = useMay()("download");
  const isThere = entry.type !== "invalid_link";
  return (
    <FileDetails
      entry={entry}
      size={isThere ? formatBytes(entry.size, language) : undefined}
      modified={formatExact(entry.modified, language, timeZone)}
      links={mayRead && isThere ? { download, open: `${download}?inline=true` } : undefined}
      note={isThere ? mayRead ? undefined : t("preview.forbidden") : t("info.kinds.link")}
    />
  );
}

interface FileDetailsProps {
  entry: Entry;
  /** Absent for a link that can't be opened. */
  size?: string;
  modified: string;
  /** The addresses to download and to open the content, if the user may. */
  links?: { download: string; open: string };
  /** A further note. */
  note?: string;
}

/** The page of one file: its details, and links to its content. */
export function FileDetails({ entry, size, modified, links, note }: FileDetailsProps) {
  const { t } = useTranslation();
  return (
    <article className="file">
      <EntryIcon entry={entry} />
      <h2 className="file__name" dir="auto">{displayName(entry.name)}</h2>
      <dl className="facts">
        {size !== undefined && (
          <>
            <dt>{t("files.column.size")}</dt>
            <dd>{size}</dd>
          </>
        )}
        <dt>{t("files.column.modified")}</dt>
        <dd>
          <time dateTime={entry.modified}>{modified}</time>
        </dd>
        {entry.path !== ROOT && (
          <>
            <dt>{t("files.path")}</dt>
            <dd dir="auto">{displayName(entry.path)}</dd>
          </>
        )}
      </dl>
      {links && (
        <div className="file__acts">
          <a className="button button--primary" href={links.download} download>
            <Icon glyph={Download} />
            {t("buttons.download")}
          </a>
          <a className="button" href={links.open} target="_blank" rel="noopener">
            <Icon glyph={ExternalLink} />
            {t("buttons.open")}
          </a>
        </div>
      )}
      {note && <p className="file__note">{note}</p>}
    </article>
  );
}
