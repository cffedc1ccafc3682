import { Download, ExternalLink } from "lucide";
import { encode } from "uqr";
import type { Entry, SharePageData } from "../../shared/api_types.ts";
import { formatBytes, formatExact, formatNumber } from "../core/format.ts";
import { useClock } from "../core/use_clock.ts";
import type { Clock } from "../../shared/clock.ts";
import { useTranslation } from "../core/use_translation.ts";
import { Button } from "../../../components/Button.tsx";
import { EntryIcon } from "../listing/EntryIcon.tsx";
import { Icon } from "../../../components/Icon.tsx";
import { ArchiveForm, FormatField, type ShareLinks } from "./ArchiveForm.tsx";

/** The longest address whose QR code a camera reads from a screen, in characters. */
const longestCode = 1_000;

interface SharedFactsProps {
  shown: SharePageData;
  links: ShareLinks;
  clock: Clock;
}

/** The details of a share, with its links and a QR code. */
export function SharedFacts({ shown, links, clock }: SharedFactsProps) {
  const { t, language } = useTranslation();
  const { timeZone } = useClock(clock);
  const { resource, link } = shown;
  const { name, modified, isDir, numDirs = 0, numFiles = 0 } = resource;
  const isLink = resource.type === "invalid_link";
  return (
    <section className="shared__facts" aria-label={t("share.about")}>
      <EntryIcon entry={resource} />
      <h1 className="shared__name" dir="auto">{name}</h1>
      <dl className="facts">
        {isDir
          ? (
            <>
              <dt>{t("share.items")}</dt>
              <dd>{formatNumber(numDirs + numFiles, language)}</dd>
            </>
          )
          : (
            <>
              <dt>{t(isLink ? "info.kind" : "files.column.size")}</dt>
              <dd>{isLink ? t("info.kinds.link") : formatBytes(resource.size, language)}</dd>
            </>
          )}
        <dt>{t("files.column.modified")}</dt>
        <dd>
          <time dateTime={modified}>{formatExact(modified, language, timeZone)}</time>
        </dd>
      </dl>
      {isDir
        ? (
          <ArchiveForm shown={shown} links={links} className="shared__all">
            <Button type="submit" look="primary" glyph={Download}>{t("share.downloadAll")}</Button>
            <FormatField />
          </ArchiveForm>
        )
        : !isLink && <FileLinks entry={resource} links={links} />}
      {link.length <= longestCode && (
        <details className="shared__code">
          <summary>{t("share.code")}</summary>
          <Code text={link} label={t("share.codeOf", { link })} />
        </details>
      )}
    </section>
  );
}

interface FileLinksProps {
  entry: Entry;
  links: ShareLinks;
}

/** Links to download a file, or to open it. */
function FileLinks({ entry, links }: FileLinksProps) {
  const { t } = useTranslation();
  return (
    <div className="shared__acts">
      <a className="button button--primary" href={links.download(entry.path)} download>
        <Icon glyph={Download} />
        {t("buttons.download")}
      </a>
      {opens(entry) && (
        <a
          className="button"
          href={links.download(entry.path, { inline: true })}
          target="_blank"
          rel="noopener"
        >
          <Icon glyph={ExternalLink} />
          {t("buttons.open")}
        </a>
      )}
    </div>
  );
}

/** Whether a browser shows it rather than saving it. */
function opens({ type }: Entry): boolean {
  return type !== "blob";
}

/** A QR code (ISO/IEC 18004), dark on light in both themes, as cameras want it. */
function Code({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 });
  const bars = data.flatMap((row, y) => {
    const modules = row.map((isDark) => isDark ? "#" : " ").join("");
    return [...modules.matchAll(/#+/g)].map(({ index, 0: { length } }) =>
      `M${index} ${y}h${length}v1h-${length}z`
    );
  });
  return (
    <svg
      className="shared__qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <path d={bars.join("")} />
    </svg>
  );
}
