import { Download, ExternalLink } from "lucide";
import { useTranslation } from "../core/use_translation.ts";
import type { Entry } from "../../shared/api_types.ts";
import { displayName } from "../../shared/entry_names.ts";
import { EntryIcon } from "../listing/EntryIcon.tsx";
import { Icon } from "../../../components/Icon.tsx";

interface FileFactsProps {
  entry: Entry;
  size: string;
  modified: string;
  /** Where the content is, when the user may have it: to keep, and to look at. */
  links?: { download: string; open: string };
  /** What else there is to say. */
  note?: string;
}

/** One file by itself: what it is, and the ways to its content. */
export function FileFacts({ entry, size, modified, links, note }: FileFactsProps) {
  const { t } = useTranslation();
  return (
    <article className="file">
      <EntryIcon entry={entry} />
      <h2 className="file__name" dir="auto">{displayName(entry.name)}</h2>
      <dl className="facts">
        <dt>{t("files.column.size")}</dt>
        <dd>{size}</dd>
        <dt>{t("files.column.modified")}</dt>
        <dd>
          <time dateTime={entry.modified}>{modified}</time>
        </dd>
        <dt>{t("files.path")}</dt>
        <dd dir="auto">{displayName(entry.path)}</dd>
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
