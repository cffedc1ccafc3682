import { asset, Head } from "fresh/runtime";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { usePage } from "../../base/core/page.ts";
import type { Clock } from "../../../shared/clock.ts";
import type { SharePageData } from "../../../shared/page_data.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { Crumbs } from "../../files_page/layout/Crumbs.tsx";
import { Icon, Logo } from "../../../../components/Icon.tsx";
import { previewOf, type ShareLinks, shareLinks } from "./share_links.ts";
import { SharedContent } from "./SharedContent.tsx";
import { ArchiveForm, FormatField, SharedList } from "./SharedList.tsx";
import {
  ChevronLeft,
  ChevronRight,
  Download,
  ExternalLink,
  type IconNode,
  Maximize,
  Play,
  QrCode as QrGlyph,
  X,
} from "lucide";
import { parentOf, parsePath } from "../../../shared/path.ts";
import { isoOf } from "../../../shared/time.ts";
import { formatBytes, formatExact, formatNumber } from "../../base/core/format.ts";
import { useClock } from "../../base/core/use_clock.ts";
import { mediaTypes } from "../../../shared/schemas/choices/choices.ts";
import { Button } from "../../../../components/Button.tsx";
import { EntryIcon } from "../../files_page/listing/thumbs/EntryIcon.tsx";
import { maxCodeLength, qrPath } from "../../files_page/sharing/qr_outline.ts";
import { QrCode } from "../../files_page/sharing/QrCode.tsx";

interface SharedEntryProps {
  shown: SharePageData;
  clock: Clock;
  /** A Markdown document as an island, which only routes may use. */
  rendered: ReactNode;
  /** The place to add files, likewise; null where one may not. */
  adding: ReactNode;
  /** The tools to change what is shown, likewise. */
  editing: ReactNode;
}

/** The public page of a share: details, content and downloads. */
export function SharedEntry({ shown, clock, rendered, adding, editing }: SharedEntryProps) {
  const { BaseURL, Name } = usePage().data.config;
  const { resource, name } = shown;
  const links = shareLinks(BaseURL, shown);
  const names = resource.path.split("/").filter(Boolean);
  const crumbs = names.map((segment, index) => ({
    name: segment,
    href: links.page(`/${names.slice(0, index + 1).join("/")}`, index < names.length - 1),
  }));
  return (
    <div className="shared">
      <Head>
        <link rel="stylesheet" href={asset(BaseURL + "/share.css")} />
        {shown.isUnfurled && <Unfurled shown={shown} links={links} />}
      </Head>
      <script type="module" src={asset(BaseURL + "/share.js")} />
      <header className="shared__head">
        <Logo />
        <p className="shared__site">{Name}</p>
        <VisitorLinks />
      </header>
      <main className="shared__main">
        {names.length > 0 && <Crumbs home={links.page("/", true)} crumbs={crumbs} top={name} />}
        {resource.isDir
          ? (
            <div className="shared__columns">
              <SharedFacts shown={shown} links={links} clock={clock} />
              <div className="shared__files">
                {adding}
                <SharedList shown={shown} links={links} clock={clock} tools={editing} />
              </div>
            </div>
          )
          : (
            <div className="shared__columns shared__columns--file">
              <div className="shared__viewer">
                <SharedSteps shown={shown} links={links} />
                <SharedContent shown={shown} links={links} rendered={rendered} />
              </div>
              <SharedFacts shown={shown} links={links} clock={clock} tools={editing} />
            </div>
          )}
      </main>
    </div>
  );
}

/** The links from a share into the site: to the user's own files, or to sign in or up. */
function VisitorLinks() {
  const { t } = useTranslation();
  const { config, user } = usePage().data;
  const { BaseURL, LoginPage, Signup, HideLoginButton } = config;
  const links = user
    ? [[`${BaseURL}/files/`, t("files.myFiles")]]
    : LoginPage && !HideLoginButton
    ? [
      [`${BaseURL}/login`, t("login.submit")],
      ...Signup ? [[`${BaseURL}/login?signup`, t("login.signUp")]] : [],
    ]
    : [];
  if (links.length === 0) return null;
  return (
    <nav className="shared__ways" aria-label={t("sidebar.label")}>
      {links.map(([href, word]) => (
        <a key={href} className="button button--quiet" href={href}>{word}</a>
      ))}
    </nav>
  );
}

/** The preview of the link for other programs (OpenGraph): as much as any visitor sees. */
function Unfurled({ shown, links }: { shown: SharePageData; links: ShareLinks }) {
  const { t } = useTranslation();
  const { Name } = usePage().data.config;
  const { resource, owner, link } = shown;
  const picture = resource.type === "image" && new URL(previewOf(resource, links), link).href;
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={Name} />
      <meta property="og:title" content={resource.name} />
      <meta property="og:url" content={link} />
      {owner !== "" && <meta property="og:description" content={t("share.by", { name: owner })} />}
      {picture && <meta property="og:image" content={picture} />}
    </>
  );
}

interface SharedStepsProps {
  shown: SharePageData;
  links: ShareLinks;
}

/** The way from a file to its neighbours and back to their folder; nothing for a single file. */
function SharedSteps({ shown: { resource, around }, links }: SharedStepsProps) {
  const { t } = useTranslation();
  if (around === null) return null;
  const { previous, next, place, count } = around;
  const folder = parentOf(parsePath(resource.path).path);
  const isSeen = resource.type === "image" || resource.type === "video";
  return (
    <nav className="shared__steps" aria-label={t("share.steps")}>
      <Step to={previous && links.page(previous)} rel="prev" word={t("preview.previous")} />
      <span className="shared__place">{t("share.place", { place, total: count })}</span>
      <Step to={next && links.page(next)} rel="next" word={t("preview.next")} />
      <span className="shared__tools">
        {isSeen && <Act act="slideshow" glyph={Play} word={t("preview.slideshow")} />}
        {isSeen && <Act act="full" glyph={Maximize} word={t("preview.fullScreen")} />}
      </span>
      <a
        className="button button--quiet button--icon"
        data-step="up"
        href={links.page(folder, true)}
        aria-label={t("preview.close")}
        title={t("preview.close")}
      >
        <Icon glyph={X} />
      </a>
    </nav>
  );
}

interface ActProps {
  act: "slideshow" | "full";
  glyph: IconNode;
  word: string;
}

/** A button for what scripts alone can do: they show it. */
function Act({ act, glyph, word }: ActProps) {
  return (
    <button
      type="button"
      className="button button--quiet button--icon"
      data-act={act}
      hidden
      aria-pressed={false}
      aria-label={word}
      title={word}
    >
      <Icon glyph={glyph} />
    </button>
  );
}

interface StepProps {
  /** Null at the end. */
  to: string | null;
  rel: "prev" | "next";
  word: string;
}

function Step({ to, rel, word }: StepProps) {
  const glyph = rel === "prev" ? ChevronLeft : ChevronRight;
  return (
    <a
      className="button button--quiet button--icon"
      data-step={rel}
      rel={rel}
      href={to ?? undefined}
      role={to === null ? "link" : undefined}
      aria-disabled={to === null || undefined}
      aria-label={word}
      title={word}
    >
      <Icon glyph={glyph} mirror />
    </a>
  );
}

interface SharedFactsProps {
  shown: SharePageData;
  links: ShareLinks;
  clock: Clock;
  /** Further buttons. */
  tools?: ReactNode;
}

/** The details of a share, with its links and a QR code. */
function SharedFacts({ shown, links, clock, tools }: SharedFactsProps) {
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
      {link.length <= maxCodeLength && (
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
