import { useTranslation } from "react-i18next";
import { isoOf } from "../../../shared/time.ts";
import { Download, ExternalLink, QrCode as QrGlyph } from "lucide";
import type { ReactNode } from "react";
import type { Entry, SharePageData } from "../../../shared/api_types.ts";
import { formatBytes, formatExact, formatNumber } from "../../base/core/format.ts";
import { useClock } from "../../base/core/use_clock.ts";
import type { Clock } from "../../../shared/clock.ts";
import { mediaTypes } from "../../../shared/schemas/choices/choices.ts";
import { Button } from "../../../../components/Button.tsx";
import { EntryIcon } from "../../files_page/listing/thumbs/EntryIcon.tsx";
import { longestCode, qrPath } from "../../files_page/sharing/qr_path.ts";
import { QrCode } from "../../files_page/sharing/QrCode.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { ArchiveForm, FormatField } from "./SharedList.tsx";
import type { ShareLinks } from "./share_links.ts";

interface SharedFactsProps {
  shown: SharePageData;
  links: ShareLinks;
  clock: Clock;
  /** Further buttons. */
  tools?: ReactNode;
}

/** The details of a share, with its links and a QR code. */
export function SharedFacts({ shown, links, clock, tools }: SharedFactsProps) {
  const { t, i18n: { language } } = useTranslation();
  const { timeZone } = useClock(clock);
  const { resource, link } = shown;
  const { name, modified, isDir, numDirs = 0, numFiles = 0 } = resource;
  const isLink = resource.type === "invalid_link";
  return (
    <section className="shared__facts" aria-label={t("share.about")}>
      <EntryIcon entry={resource} />
      <h1 className="shared__name" dir="auto">{name}</h1>
      <ShareTerms shown={shown} timeZone={timeZone} />
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
      {shown.viewOnly && <p className="shared__terms">{t("links.viewOnlyNote")}</p>}
      {isDir
        ? !shown.viewOnly && (
          <ArchiveForm shown={shown} links={links} className="shared__all">
            <Button type="submit" variant="primary" glyph={Download}>
              {t("share.downloadAll")}
            </Button>
            <FormatField />
          </ArchiveForm>
        )
        : !isLink && <FileLinks entry={resource} shown={shown} links={links} />}
      {tools && <div className="shared__acts">{tools}</div>}
      {link.length <= longestCode && (
        <details className="shared__code">
          <summary className="button button--quiet">
            <Icon glyph={QrGlyph} />
            {t("share.code")}
          </summary>
          <QrCode path={qrPath(link)} label={t("share.codeOf", { link })} />
        </details>
      )}
    </section>
  );
}

interface ShareTermsProps {
  shown: SharePageData;
  timeZone?: string;
}

/** The owner of the share, and its end. */
function ShareTerms({ shown: { owner, expire }, timeZone }: ShareTermsProps) {
  const { t, i18n: { language } } = useTranslation();
  if (owner === "" && expire === 0) return null;
  const end = isoOf(expire * 1000);
  return (
    <p className="shared__terms">
      {owner !== "" && <span>{t("share.by", { name: owner })}</span>}
      {expire !== 0 && (
        <time dateTime={end}>
          {t("share.until", { when: formatExact(end, language, timeZone) })}
        </time>
      )}
    </p>
  );
}

interface FileLinksProps {
  entry: Entry;
  shown: SharePageData;
  links: ShareLinks;
}

/** Links to download a file, or to open it. */
function FileLinks({ entry, shown: { viewOnly }, links }: FileLinksProps) {
  const { t } = useTranslation();
  const hasOpen = viewOnly ? isShown(entry) : opens(entry);
  if (viewOnly && !hasOpen) return null;
  return (
    <div className="shared__acts">
      {!viewOnly && (
        <a className="button button--primary" href={links.download(entry.path)} download>
          <Icon glyph={Download} />
          {t("buttons.download")}
        </a>
      )}
      {hasOpen && (
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

/** Whether the server hands it out for viewing alone. */
function isShown({ type }: Entry): boolean {
  return mediaTypes.has(type);
}
