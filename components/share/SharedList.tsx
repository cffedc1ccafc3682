import { Download } from "lucide";
import type { Entry } from "../../lib/api_types.ts";
import { formatBytes, formatRelative } from "../../lib/client/format.ts";
import { type Clock, useClock } from "../../lib/client/use_clock.ts";
import { useTranslation } from "../../lib/i18n/use_translation.ts";
import type { SharePageData } from "../../lib/api_types.ts";
import { Button } from "../Button.tsx";
import { EntryIcon } from "../EntryIcon.tsx";
import type { ShareLinks } from "./share_links.ts";

/** The kinds of archive that are offered; the server makes some more. */
const formats = ["zip", "tar", "tar.gz", "tar.bz2", "tar.xz", "tar.zst"];

interface SharedListProps {
  shown: SharePageData;
  links: ShareLinks;
  clock: Clock;
}

/** The entries of a shared folder, to be opened, or ticked and downloaded: a form, without scripts. */
export function SharedList({ shown, links, clock }: SharedListProps) {
  const { t } = useTranslation();
  const { resource, token, more } = shown;
  const { items = [], path } = resource;
  if (items.length === 0) return <p className="shared__none">{t("files.emptyTitle")}</p>;
  return (
    <form className="shared__list" method="get" action={links.download(path).split("?")[0]}>
      <input type="hidden" name="direct" value="true" />
      {token !== "" && <input type="hidden" name="token" value={token} />}
      <ul className="shared__items">
        {items.map((entry) => (
          <SharedRow key={entry.path} entry={entry} links={links} clock={clock} />
        ))}
      </ul>
      {more !== null && (
        <a className="button shared__more" href={`?show=${more}`}>{t("share.more")}</a>
      )}
      <div className="shared__bar">
        <label className="shared__format">
          {t("share.format")}
          <select name="algo" className="field__input">
            {formats.map((format) => <option key={format} value={format}>{format}</option>)}
          </select>
        </label>
        <Button type="reset" look="quiet">{t("files.clearSelection")}</Button>
        <Button type="submit" glyph={Download}>{t("share.downloadTicked")}</Button>
      </div>
    </form>
  );
}

interface SharedRowProps {
  entry: Entry;
  links: ShareLinks;
  clock: Clock;
}

function SharedRow({ entry, links, clock }: SharedRowProps) {
  const { t, language } = useTranslation();
  const { now } = useClock(clock);
  const { name, path, isDir, size, modified } = entry;
  return (
    <li className="shared__item">
      <input
        type="checkbox"
        className="tick"
        name="files"
        value={encodeURIComponent(name)}
        aria-label={t("files.selectEntry", { name })}
      />
      <a className="shared__link" href={links.page(path, isDir)}>
        <EntryIcon entry={entry} />
        <span className="shared__label" dir="auto">{name}</span>
        <span className="shared__note">
          {isDir ? t("share.folder") : formatBytes(size, language)}
          {" · "}
          {formatRelative(modified, language, now)}
        </span>
      </a>
    </li>
  );
}
