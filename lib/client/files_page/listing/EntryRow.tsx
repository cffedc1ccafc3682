import { Lock, Share2 } from "lucide";
import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { displayName } from "../../../shared/entry_names.ts";
import { EntryIcon } from "./thumbs/EntryIcon.tsx";
import { Tick } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";

interface EntryRowProps {
  /** The list's own: a `useTranslation` in each row would take a tenth of the time of a rendering. */
  t: TFunction;
  entry: Entry;
  /** The characters of a name that are nearly always in view. */
  room: number;
  /** The position in the sorted folder, from 0. */
  index: number;
  /** The link of the name: the page of the folder or file; absent for what cannot be opened. */
  href?: string | undefined;
  /** Shown in place of the name: the same with some of it marked. */
  label?: ReactNode;
  /** A second line: where the entry lies, in lists of entries from many folders. */
  place?: ReactNode;
  selected: boolean;
  /** A cut entry, shown dimmed until it is pasted. */
  cut?: boolean;
  /** A read-only root. */
  locked?: boolean;
  /**
   * -1 or 0 once the keyboard moves between rows; unset while every link is a stop of its own, and
   * nothing can be ticked: as the server sends it.
   */
  tabIndex?: number;
  /** The size in words; "–" for a folder while it is not known. Absent without such a column. */
  size?: string | undefined;
  /** The kind in words, in lists with a column for it. */
  kind?: string | undefined;
  /** When it was last changed, or another time of a list: in words, and in full. */
  modified: string;
  modifiedFull?: string | undefined;
  /** Shown in place of the icon. */
  picture?: ReactNode;
  /** Where it lies, in views that place each entry. */
  style?: Record<string, string> | undefined;
  /** Among photos: `named` shows its name always, `photo` when it is asked for. */
  tile?: "photo" | "named" | undefined;
  /** Among photos that are not placed yet: names its ratio for the style sheet. */
  shape?: string | undefined;
  /** Shows a button that opens the menu of actions, for touch devices. */
  menu?: boolean;
  /** For a list whose keyboard cursor is in a field: the id of the row, and whether it is there. */
  id?: string;
  current?: boolean;
}

/**
 * One entry of a listing, in every view: the style sheet lays it out as a row or tile. It has few
 * elements, as listings are long. The grid handles clicks.
 */
export function EntryRow(
  props: EntryRowProps,
) {
  const { t, entry, room, index, href, selected, cut, locked, tabIndex, picture, menu } = props;
  const { place, size, kind, modified, modifiedFull, style, tile, shape } = props;
  const name = displayName(entry.name);
  const hidden = name.startsWith(".");
  const description = entry.isDir
    ? t("files.folder")
    : entry.type === "invalid_link"
    ? t("info.kinds.link")
    : undefined;
  return (
    <div
      role="row"
      className={hidden ? "row row--hidden" : "row"}
      id={props.id}
      data-index={index}
      data-current={props.current || undefined}
      data-cut={cut || undefined}
      data-tile={tile}
      data-shape={shape}
      style={style}
      aria-rowindex={index + 2}
      aria-selected={selected}
    >
      <div role="gridcell" className="cell cell--tick">
        {tabIndex !== undefined && (
          <Tick
            label={t("files.selectEntry", { name })}
            checked={selected}
            tabIndex={-1}
            readOnly
          />
        )}
      </div>
      <div role="gridcell" className="cell cell--name">
        {picture ?? <EntryIcon entry={entry} />}
        {(entry.shared || locked) && (
          <span
            className="row__sign"
            role="img"
            aria-label={locked ? t("editor.readOnly") : t("files.shared")}
          >
            <Icon glyph={locked ? Lock : Share2} />
          </span>
        )}
        <a
          className="row__name"
          href={href}
          tabIndex={tabIndex}
          draggable={false}
          dir="auto"
          title={description && !entry.isDir ? `${name}: ${description}` : name}
          aria-description={description}
        >
          {props.label ?? <EntryName name={name.slice(name.lastIndexOf("/") + 1)} room={room} />}
        </a>
        {place}
        {menu && (
          <button
            type="button"
            className="row__more"
            tabIndex={tabIndex}
            aria-label={t("files.actionsOf", { name })}
            aria-haspopup="menu"
          />
        )}
      </div>
      {!tile && (
        <time
          role="gridcell"
          className="cell cell--modified"
          dateTime={entry.modified || undefined}
          title={modifiedFull}
        >
          {modified}
        </time>
      )}
      {kind !== undefined && <div role="gridcell" className="cell cell--type">{kind}</div>}
      {!tile && size !== undefined && (
        <div role="gridcell" className="cell cell--size" data-unknown={size === "–" || undefined}>
          {size}
        </div>
      )}
    </div>
  );
}

/** The most characters of an extension that stays, with its dot. */
const LONGEST_EXTENSION = 10;

/**
 * The most characters before the extension that stay: a number in brackets, the last digits of a
 * date. Fewer where there is little room, so that the start is not lost for them.
 */
const KEPT = 6;

/** Letters that are twice as wide as others. */
const WIDE = /[\u1100-\uffdc]/;

/** Letters that can stand apart: no combining marks, no letters that join their neighbours. */
const APART = /^[ -~\u00a0-\u02af\u0391-\u0482\u048a-\u058f\u3041-\u30ff\u4e00-\u9fff]*$/;

/**
 * The end of a name, which stays when the name is cut: the extension with some characters before
 * it. "" for names that are short, or cut at their end.
 *
 * @param room the characters that are nearly always in view; half as many of wide ones
 */
export function endOf(name: string, room: number): string {
  if (name.length <= room && !(name.length > room / 2 && WIDE.test(name))) return "";
  const dot = name.lastIndexOf(".");
  const from = dot > 0 && name.length - dot <= LONGEST_EXTENSION ? dot : name.length;
  const end = name.slice(Math.max(1, from - Math.min(KEPT, Math.floor(room / 3))));
  if (APART.test(end)) return end;
  const extension = name.slice(from);
  return APART.test(extension) ? extension : "";
}

interface EntryNameProps {
  /** The name as it is shown. */
  name: string;
  /** The characters that are nearly always in view: shorter names cost no elements. */
  room: number;
}

/**
 * A name that is cut in the middle where it is too long, so that its extension stays. The whole
 * name is one text, which find-in-page and screen readers know; the style sheet draws the cut name
 * over it when the text takes a second line.
 */
export function EntryName({ name, room }: EntryNameProps) {
  const end = endOf(name, room);
  if (end === "") return <>{name}</>;
  return (
    <span className="long">
      {name}
      <i
        className="long__cut"
        aria-hidden="true"
        data-start={name.slice(0, -end.length)}
        data-end={end}
      />
    </span>
  );
}
