import { asset, Head } from "fresh/runtime";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { usePage } from "../../base/core/page.ts";
import type { Clock } from "../../../shared/clock.ts";
import type { SharePageData } from "../../../shared/page_data.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { Crumbs } from "../../files_page/layout/Crumbs.tsx";
import { Icon, Logo } from "../../../../components/Icon.tsx";
import { sharedOfficeHref } from "../../base/files/office_link.ts";
import { opensInOffice, previewOf, type ShareLinks, shareLinks } from "./share_links.ts";
import { SharedContent } from "./SharedContent.tsx";
import { SharedList } from "./SharedList.tsx";
import {
  ArrowLeft,
  ChevronLeft,
  ChevronRight,
  Download,
  ExternalLink,
  FileText,
  Info,
  Pencil,
} from "lucide";
import { parentOf, parsePath } from "../../../shared/path.ts";
import { isoOf } from "../../../shared/time.ts";
import { formatBytes, formatExact } from "../../base/core/format.ts";
import { useClock } from "../../base/core/use_clock.ts";
import { archiveFormats, mediaTypes } from "../../../shared/schemas/choices/choices.ts";
import { EntryIcon } from "../../files_page/listing/thumbs/EntryIcon.tsx";
import { maxCodeLength, qrPath } from "../../files_page/sharing/qr_outline.ts";
import { QrCode } from "../../files_page/sharing/QrCode.tsx";

interface SharedEntryProps {
  shown: SharePageData;
  clock: Clock;
  /** The viewers of files as an island, which only routes may use; null where none is needed. */
  viewer: ReactNode;
  /** The button to play the folder's music, likewise. */
  player: ReactNode;
  /** The place to add files, likewise; null where one may not. */
  adding: ReactNode;
  /** The tools to change what is shown, likewise. */
  editing: ReactNode;
}

/** The public page of a share: a slim head, and below it the file, or the entries of the folder. */
export function SharedEntry(
  { shown, clock, viewer, player, adding, editing }: SharedEntryProps,
) {
  const { BaseURL } = usePage().data.config;
  const { resource, name } = shown;
  const links = shareLinks(BaseURL, shown);
  const names = resource.path.split("/").filter(Boolean);
  const crumbs = names.map((segment, index) => ({
    name: segment,
    href: links.page(`/${names.slice(0, index + 1).join("/")}`, index < names.length - 1),
  }));
  const { isDir } = resource;
  return (
    <div
      className="shared"
      data-file={!isDir || undefined}
      data-viewing={shown.viewOnly || undefined}
      data-editing={(!isDir && shown.mayEdit) || undefined}
    >
      <Head>
        <link rel="stylesheet" href={asset(BaseURL + "/share.css")} />
        {shown.isUnfurled && <Unfurled shown={shown} links={links} />}
      </Head>
      <script type="module" src={asset(BaseURL + "/share.js")} />
      <SharedHead
        shown={shown}
        links={links}
        clock={clock}
        tools={isDir ? player : editing}
      />
      <main
        className="shared__main"
        data-stage={mediaTypes.has(resource.type) && !shown.isLimited ? true : undefined}
      >
        {isDir
          ? (
            <>
              {names.length > 0 && (
                <Crumbs home={links.page("/", true)} crumbs={crumbs} top={name} />
              )}
              {adding}
              <SharedList shown={shown} links={links} clock={clock} tools={editing} />
            </>
          )
          : <SharedContent shown={shown} links={links} />}
        {viewer}
      </main>
    </div>
  );
}

interface SharedHeadProps {
  shown: SharePageData;
  links: ShareLinks;
  clock: Clock;
  /** Further buttons. */
  tools: ReactNode;
}

/** The head of the page: what is shared by whom, how to get it, and its details, folded. */
function SharedHead({ shown, links, clock, tools }: SharedHeadProps) {
  const { t } = useTranslation();
  const { resource } = shown;
  const { isDir } = resource;
  return (
    <header className="shared__head">
      {isDir || shown.around === null ? <Logo /> : (
        <a
          className="button button--quiet button--icon"
          data-step="up"
          href={links.page(parentOf(parsePath(resource.path).path), true)}
          aria-label={t("preview.close")}
          title={t("preview.close")}
        >
          <Icon glyph={ArrowLeft} mirror />
        </a>
      )}
      <EntryIcon entry={resource} />
      <div className="shared__about">
        <h1 className="shared__name" dir="auto">{resource.name}</h1>
        <SharedTerms shown={shown} clock={clock} />
      </div>
      <div className="shared__acts">
        <SharedSteps shown={shown} links={links} />
        <OfficeWay shown={shown} />
        {tools}
        {!shown.viewOnly && resource.type !== "invalid_link" && (
          <a className="button button--primary" href={links.download(resource.path)} download>
            <Icon glyph={Download} />
            <span className="button__word">
              {t(isDir ? "share.downloadAll" : "buttons.download")}
            </span>
          </a>
        )}
        <SharedDetails shown={shown} links={links} clock={clock} />
        <VisitorLinks shown={shown} links={links} />
      </div>
    </header>
  );
}

/** The way of a document into the office server, which shows it where it may not be changed. */
function OfficeWay({ shown }: Pick<SharedHeadProps, "shown">) {
  const { t } = useTranslation();
  const { config } = usePage().data;
  if (!opensInOffice(shown, config)) return null;
  const right = shown.mayEdit ? "edit" : "view";
  return (
    <a
      className="button"
      href={sharedOfficeHref(config.BaseURL, shown.hash, shown.resource.path)}
    >
      <Icon glyph={right === "edit" ? Pencil : FileText} />
      <span className="button__word">
        {right === "edit" ? t("commands.edit") : t("office.view")}
      </span>
    </a>
  );
}

/**
 * The links from a share into the site: to the user's own files, or to sign in, which leads back
 * here, or up.
 */
function VisitorLinks({ shown: { resource, signInTo }, links }: SharedLinksProps) {
  const { t } = useTranslation();
  const { config, user } = usePage().data;
  const { BaseURL, LoginPage, Signup, HideLoginButton } = config;
  const redirect = links.page(resource.path, resource.isDir);
  const ways = user
    ? [[`${BaseURL}/files/`, t("files.myFiles")]]
    : LoginPage && !HideLoginButton
    ? [
      [
        `${BaseURL}/login?${new URLSearchParams({ redirect })}`,
        t(signInTo ? `share.signInTo.${signInTo}` : "login.submit"),
      ],
      ...Signup ? [[`${BaseURL}/login?signup`, t("login.signUp"), "signup"]] : [],
    ]
    : [];
  if (ways.length === 0) return null;
  return (
    <nav className="shared__ways" aria-label={t("sidebar.label")}>
      {ways.map(([href, word, way]) => (
        <a key={href} className="button button--quiet" data-way={way} href={href}>{word}</a>
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

interface SharedLinksProps {
  shown: SharePageData;
  links: ShareLinks;
}

/** The way from a file to its neighbours; nothing for a single file. */
function SharedSteps({ shown: { around }, links }: SharedLinksProps) {
  const { t } = useTranslation();
  if (around === null) return null;
  const { previous, next, place, count } = around;
  return (
    <nav className="shared__steps" aria-label={t("share.steps")}>
      <Step to={previous && links.page(previous)} rel="prev" word={t("preview.previous")} />
      <span className="shared__place">{t("share.place", { place, total: count })}</span>
      <Step to={next && links.page(next)} rel="next" word={t("preview.next")} />
    </nav>
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

type SharedPartProps = Pick<SharedHeadProps, "shown" | "links" | "clock">;

/** Who shares it, how much it is, and until when. */
function SharedTerms({ shown, clock }: Pick<SharedPartProps, "shown" | "clock">) {
  const { t, i18n: { language } } = useTranslation();
  const { timeZone } = useClock(clock);
  const { resource: { type, isDir, size, numDirs = 0, numFiles = 0 }, owner, expire } = shown;
  const end = isoOf(expire * 1000);
  const amount = isDir
    ? t("info.many", { count: numDirs + numFiles })
    : type === "invalid_link"
    ? t("info.kinds.link")
    : formatBytes(size, language);
  return (
    <p className="shared__terms">
      {owner !== "" && <span>{t("share.by", { name: owner })}</span>}
      <span>{amount}</span>
      {expire !== 0 && (
        <time dateTime={end}>
          {t("share.until", { when: formatExact(end, language, timeZone) })}
        </time>
      )}
    </p>
  );
}

/** The details, folded: when it was changed, other formats of the download, and the QR code. */
function SharedDetails({ shown, links, clock }: SharedPartProps) {
  const { t, i18n: { language } } = useTranslation();
  const { timeZone } = useClock(clock);
  const { resource, link, viewOnly } = shown;
  const { modified, isDir } = resource;
  return (
    <details className="shared__details">
      <summary className="button">
        <Icon glyph={Info} />
        {t("buttons.info")}
      </summary>
      <section className="shared__panel" aria-label={t("buttons.info")}>
        <dl className="facts">
          <dt>{t("files.column.modified")}</dt>
          <dd>
            <time dateTime={modified}>{formatExact(modified, language, timeZone)}</time>
          </dd>
        </dl>
        {viewOnly && <p className="shared__note">{t("links.viewOnlyNote")}</p>}
        {isDir
          ? !viewOnly && <Formats path={resource.path} links={links} />
          : <OpenLink entry={resource} shown={shown} links={links} />}
        {link.length <= maxCodeLength && (
          <QrCode path={qrPath(link)} label={t("share.codeOf", { link })} />
        )}
      </section>
    </details>
  );
}

/** The folder as another archive than a zip. */
function Formats({ path, links }: { path: string; links: ShareLinks }) {
  const { t } = useTranslation();
  return (
    <details className="shared__formats">
      <summary className="button button--quiet">{t("share.formats")}</summary>
      <ul>
        {archiveFormats.filter((kind) => kind !== "zip").map((kind) => (
          <li key={kind}>
            <a
              className="button button--quiet"
              href={links.download(path, { algo: kind })}
              download
            >
              {kind}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface FileLinksProps {
  entry: Entry;
  shown: SharePageData;
  links: ShareLinks;
}

/** The link to a file by itself, where browsers show it. */
function OpenLink({ entry, shown: { viewOnly }, links }: FileLinksProps) {
  const { t } = useTranslation();
  if (viewOnly || entry.type === "invalid_link" || !opens(entry)) return null;
  return (
    <a
      className="button"
      href={links.download(entry.path, { inline: true })}
      target="_blank"
      rel="noopener"
    >
      <Icon glyph={ExternalLink} />
      {t("buttons.open")}
    </a>
  );
}

/** Whether a browser shows it rather than saving it. */
function opens({ type }: Entry): boolean {
  return type !== "blob";
}
