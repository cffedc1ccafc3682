import {
  Download,
  EllipsisVertical,
  FolderInput,
  Ghost,
  Images,
  LayoutGrid,
  List,
  Trash2,
  X,
} from "lucide";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { displayName } from "../../../shared/entry_names.ts";
import { firstShareView, type SharePageData } from "../../../shared/page_data.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { formatBytes, formatRelative } from "../../base/core/format.ts";
import { usePage } from "../../base/core/page.ts";
import { useClock } from "../../base/core/use_clock.ts";
import type { Clock } from "../../../shared/clock.ts";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { EntryName } from "../../files_page/listing/EntryRow.tsx";
import { EntryIcon } from "../../files_page/listing/thumbs/EntryIcon.tsx";
import { StatusScreen } from "../../../../components/StatusScreen.tsx";
import { type ShareLinks, thumbOf } from "./share_links.ts";
import { archiveFormats } from "../../../shared/schemas/choices/choices.ts";

/** The characters of a name that are nearly always in view. */
const ROOM = 32;

interface SharedListProps {
  shown: SharePageData;
  links: ShareLinks;
  clock: Clock;
  /** Above the entries, for those who may change them. */
  tools: ReactNode;
}

/**
 * The entries of a shared folder, to open, or to tick and download: a form, without scripts. The
 * buttons to change them are shown once a script takes them.
 */
export function SharedList({ shown, links, clock, tools }: SharedListProps) {
  const { t } = useTranslation();
  const { resource: { items = [] }, more, viewOnly, mayEdit } = shown;
  if (items.length === 0) {
    return (
      <div className="shared__browser">
        {tools && <div className="shared__top">{tools}</div>}
        <div>
          <StatusScreen
            glyph={Ghost}
            title={t("files.emptyTitle")}
            text={t("files.emptyTextReadOnly")}
          />
        </div>
      </div>
    );
  }
  return (
    <div className="shared__browser">
      <div className="shared__top">
        {tools}
        <ViewChoice shown={shown} items={items} />
      </div>
      <ArchiveForm shown={shown} links={links} className="shared__list">
        <input type="hidden" name="direct" value="true" />
        <ul className="shared__items">
          {items.map((entry, index) => (
            <SharedRow
              key={entry.path}
              id={index > 0 && index === shown.first ? "more" : undefined}
              entry={entry}
              shown={shown}
              links={links}
              clock={clock}
            />
          ))}
        </ul>
        {more !== null && (
          <a className="button shared__more" href={`${more}#more`}>{t("share.more")}</a>
        )}
        {!viewOnly && (
          <div className="shared__bar">
            <Button type="reset" variant="quiet" glyph={X}>{t("files.clearSelection")}</Button>
            <FormatField />
            {mayEdit && (
              <>
                <Button data-edit="move" glyph={FolderInput}>{t("buttons.move")}</Button>
                <Button data-edit="delete" glyph={Trash2}>{t("buttons.delete")}</Button>
              </>
            )}
            <Button type="submit" variant="primary" glyph={Download}>
              {t("buttons.download")}
            </Button>
            {mayEdit && (
              <Button data-edit="more" glyph={EllipsisVertical} aria-haspopup="menu">
                {t("files.moreOfSelection")}
              </Button>
            )}
          </div>
        )}
      </ArchiveForm>
    </div>
  );
}

interface ViewChoiceProps {
  shown: SharePageData;
  items: readonly Entry[];
}

/**
 * List, grid or photos: the style sheet follows the choice. A folder of pictures begins as photos,
 * which are placeholders until the code that lays them out is there, and a grid without scripts.
 */
function ViewChoice({ shown, items }: ViewChoiceProps) {
  const { t } = useTranslation();
  const first = firstShareView(shown);
  const asPhotos = !shown.isLimited && !shown.mayEdit && items.some(({ type }) => type === "image");
  const views = [
    ["list", List, t("views.list")] as const,
    ["grid", LayoutGrid, t("share.grid")] as const,
    ...asPhotos ? [["photos", Images, t("views.mosaic gallery")] as const] : [],
  ];
  return (
    <fieldset className="shared__views" data-own-keys>
      <legend className="unseen">{t("settings.viewMode")}</legend>
      {views.map(([view, glyph, word]) => (
        <label key={view} className="shared__view" title={word}>
          <input
            type="radio"
            className="unseen"
            name="view"
            value={view}
            aria-label={word}
            defaultChecked={view === first}
          />
          <Icon glyph={glyph} />
        </label>
      ))}
    </fieldset>
  );
}

interface SharedRowProps {
  id?: string;
  entry: Entry;
  shown: SharePageData;
  links: ShareLinks;
  clock: Clock;
}

function SharedRow({ id, entry, shown, links, clock }: SharedRowProps) {
  const { t, i18n: { language } } = useTranslation();
  const { now } = useClock(clock);
  const { name, path, type, isDir, size, modified } = entry;
  const file = type === "invalid_link" ? t("info.kinds.link") : formatBytes(size, language);
  return (
    <li className="shared__item" id={id} data-kind={isDir ? "folder" : "file"}>
      {!shown.viewOnly && (
        <input
          type="checkbox"
          className="tick"
          name="files"
          value={encodeURIComponent(name)}
          aria-label={t("files.selectEntry", { name })}
        />
      )}
      <a className="shared__link" href={links.page(path, isDir)} data-place={!isDir || undefined}>
        <SharedPicture entry={entry} shown={shown} links={links} />
        <span className="shared__label" dir="auto">
          <EntryName name={displayName(name)} room={ROOM} />
        </span>
        <span className="shared__note">
          {isDir ? t("share.folder") : file}
          <span className="shared__dot">&nbsp;·&nbsp;</span>
          <span className="shared__when">{formatRelative(modified, language, now)}</span>
        </span>
      </a>
      {shown.mayEdit && (
        <IconButton
          data-edit="menu"
          label={t("files.actionsOf", { name })}
          glyph={EllipsisVertical}
          aria-haspopup="menu"
        />
      )}
    </li>
  );
}

/** The thumbnail of an entry over its icon, which is seen until that is loaded. */
export function SharedPicture(
  { entry, shown, links }: Pick<SharedRowProps, "entry" | "shown" | "links">,
) {
  const { config } = usePage().data;
  const isWhole = entry.extension === ".svg";
  const thumb = shown.isLimited && isWhole ? null : thumbOf(entry, links, config);
  return (
    <span className="shared__picture">
      <EntryIcon entry={entry} />
      {thumb !== null && (
        <img
          className="shared__thumb"
          src={thumb}
          alt=""
          loading="lazy"
          decoding="async"
          data-fresh-disable-lock
        />
      )}
    </span>
  );
}

interface ArchiveFormProps {
  shown: SharePageData;
  links: ShareLinks;
  className: string;
  children: ReactNode;
}

/** Downloads the folder on the page, or the ticked entries: works without scripts. */
function ArchiveForm({ shown, links, className, children }: ArchiveFormProps) {
  return (
    <form className={className} method="get" action={links.bytes(shown.resource.path)}>
      {shown.token !== "" && <input type="hidden" name="token" value={shown.token} />}
      {children}
    </form>
  );
}

/** A select field for the archive format. */
function FormatField() {
  const { t } = useTranslation();
  return (
    <label className="shared__format">
      <span>{t("share.format")}</span>
      <select name="algo" className="field__input">
        {archiveFormats.map((kind) => <option key={kind} value={kind}>{kind}</option>)}
      </select>
    </label>
  );
}
