import { Download, ExternalLink } from "lucide";
import { encode } from "uqr";
import type { Entry } from "../../shared/api_types.ts";
import { formatBytes, formatExact, formatNumber } from "../core/format.ts";
import { type Clock, useClock } from "../core/use_clock.ts";
import { useTranslation } from "../core/use_translation.ts";
import type { SharePageData } from "../../shared/api_types.ts";
import { Button } from "../../../components/Button.tsx";
import { EntryIcon } from "../listing/EntryIcon.tsx";
import { Icon } from "../../../components/Icon.tsx";
import { ArchiveForm, FormatField } from "./ArchiveForm.tsx";
import type { ShareLinks } from "./share_links.ts";

/** The longest address, in characters, whose code a camera reads from a screen. */
const longestCode = 1_000;

interface SharedFactsProps {
  shown: SharePageData;
  links: ShareLinks;
  clock: Clock;
}

/** The box that says what is shared, with its links and a code to take it to a phone. */
export function SharedFacts({ shown, links, clock }: SharedFactsProps) {
  const { t, language } = useTranslation();
  const { timeZone } = useClock(clock);
  const { resource, link } = shown;
  const { name, modified, isDir, numDirs = 0, numFiles = 0 } = resource;
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
              <dt>{t("files.column.size")}</dt>
              <dd>{formatBytes(resource.size, language)}</dd>
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
        : <FileLinks entry={resource} links={links} />}
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

/** The ways to have a file: to keep, or to look at. */
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
  return type !== "blob" && type !== "invalid_link";
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
