import { type Signal, signal, useSignal } from "@preact/signals";
import type { IconNode } from "lucide";
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { FormError } from "../../../../components/Fields.tsx";
import type { SortBy } from "../../../shared/schemas/choices/choices.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import type { Sorting } from "../../../shared/schemas/view.ts";
import { shortcutOf } from "../../base/core/keyboard.ts";
import { lazy } from "../../base/core/lazy.ts";
import { usePage } from "../../base/core/page.ts";
import { useLazy } from "../../base/core/use_site.ts";
import { unmarkText } from "../../base/files/page_dom.ts";
import { Rows } from "../../base/files/rows.ts";
import { type MenuRequest, rowMenu } from "../menu/row_menu.ts";
import { MarqueeBox, useMarquee } from "../selection/Marquee.tsx";
import type { ListModel } from "../selection/list_model.ts";
import { Cursor, Selection } from "../selection/selection.ts";
import { ColumnHead } from "./ColumnHead.tsx";
import { EntryRow } from "./EntryRow.tsx";
import { GroupHeading, startsOf } from "./GroupHeading.tsx";
import { usePictured } from "./thumbs/EntryIcon.tsx";
import { useFollowedFocus, useListKeys } from "./use_list_keys.ts";
import { isEmpty, useListPointer } from "./use_list_pointer.ts";
import { useWindow } from "./use_window.ts";

const thumbs = lazy(() => import("./thumbs/Thumb.tsx"));
const placeParts = lazy(() => import("./PlaceActions.tsx"));

/** The characters of a name that are nearly always in view. */
const ROOM = 32;

/** The time within which further letters belong to the same name, in milliseconds. */
const TYPING_MS = 1000;

/** A row of a list of entries that lie in many folders. */
export interface PlaceItem {
  /** Tells it from all others of its list. */
  id: string;
  entry:
    & Pick<Entry, "name" | "path" | "type" | "isDir" | "isSymlink" | "extension">
    & Partial<Entry>;
  /** Its page; absent for what cannot be opened. */
  href?: string | undefined;
  /** The second line: where it lies, who shares it. */
  place: ReactNode;
  /** The folder that the second line leads to. */
  placeHref?: string | undefined;
  /** Its size in words, in a list with that column; and in bytes, to sort by it. */
  size?: string;
  bytes?: number;
  /** The time of the last column: in words, in full, and in RFC 3339; "" for none. */
  when: string;
  whenFull?: string;
  at: string;
  /** What the row is below, such as a day. */
  group?: string;
}

/** Something to be done with rows of a list. */
export interface PlaceAction<Item> {
  /** Of the button in the bar of the selection. */
  id: string;
  label: string;
  glyph: IconNode;
  /** Deletes for good, or ends something. */
  isDanger?: boolean;
  /** For one row alone. */
  isSingle?: boolean;
  /** The Delete key does it, too. */
  hasDeleteKey?: boolean;
  /** Whether it can be done with a row; with all by default. */
  isFor?: (item: Item) => boolean;
  run: (items: Item[]) => void;
}

/** The way to further items of a list. */
export interface PlaceMore {
  /** For browsers without scripts. */
  href?: string | null;
  isBusy?: boolean;
  /** Why they could not be read; "" otherwise. */
  complaint?: string;
  read: () => void;
}

interface PlaceListProps<Item> {
  /** The name of the list, for screen readers. */
  label: string;
  /** The first order is that of the list. */
  items: readonly Item[];
  rowOf: (item: Item) => PlaceItem;
  /** The words of the columns that there are. */
  columns: Partial<Record<SortBy, string>>;
  /** The order in which the items come; null for one of their own. */
  sorting: Sorting | null;
  /** How further items are read; null where these are all. Only all of them can be sorted. */
  more?: PlaceMore | null;
  actions: readonly PlaceAction<Item>[];
  /** What is done with the whole list, above it. */
  acts?: ReactNode;
  /** A field that searches it. */
  search?: ReactNode;
  /** Shown below the rows. */
  children?: ReactNode;
}

/**
 * A list of entries from many folders: recent files, shares, the trash. It has the rows of a folder,
 * its head, selection, keys, menus and layout on phones; each row tells where its entry lies.
 */
export function PlaceList<Item>(props: PlaceListProps<Item>) {
  const { label, items, rowOf, columns, more = null, actions, acts, search, children } = props;
  const isPart = more !== null;
  const { t, i18n: { language } } = useTranslation();
  const density = usePage().data.user?.density ?? "comfortable";
  const [sorting, setSorting] = useState(props.sorting);
  const shown = useMemo(
    () =>
      sortRows(
        items.map((item) => ({ item, row: rowOf(item) })),
        isPart || isSame(sorting, props.sorting) ? null : sorting,
        language,
      ),
    [items, rowOf, sorting, isPart, language],
  );
  const rows = shown.map(({ row }) => row);
  const groups = useMemo(() => groupsOf(rows), [shown]);
  const starts = useMemo(() => startsOf(groups), [groups]);
  const latest = useRef({ shown, actions });
  latest.current = { shown, actions };
  const model = usePlaceModel(rows, (index) => rows[index]?.href, () => {
    const remove = actions.find(({ hasDeleteKey }) => hasDeleteKey);
    if (remove) run(remove);
  });
  const { selection, cursor } = model;
  const selected = selection.now.value;
  const chosenItems = () =>
    latest.current.shown.filter((_, index) => selection.now.peek().has(index))
      .map(({ item }) => item);
  const run = ({ run, isFor = () => true }: PlaceAction<Item>) => {
    const chosen = chosenItems().filter(isFor);
    if (chosen.length > 0) run(chosen);
  };

  const list = useWindow(
    rows.length,
    `places ${density}`,
    () => head.current?.offsetHeight ?? 0,
    starts,
  );
  const head = useRef<HTMLDivElement>(null);
  const { first, last, box, page } = list;
  useLayoutEffect(() => cursor.layout({ columns: 1, page, groups: starts }), [page, starts]);
  const newFrom = useRef(-1);
  // The button for more, which had the focus, may be gone.
  useEffect(() => {
    if (newFrom.current < 0 || rows.length <= newFrom.current) return;
    cursor.call(newFrom.current);
    newFrom.current = -1;
  }, [rows.length]);
  useFollowedFocus();
  useListKeys(list, model);
  const pointer = useListPointer(list, model);
  const band = useMarquee(list, model);
  const menu = useSignal<MenuRequest | null>(null);
  const handlers = rowMenu((index, point, row) => {
    if (index < 0) return;
    const transientSelection = row != null && !selection.now.peek().has(index);
    if (!selection.now.peek().has(index)) selection.only(index);
    cursor.put(index);
    menu.value = { of: "selection", transientSelection, row: row ?? undefined, ...point };
  });
  useSelectAll(selection);

  const isPictured = usePictured(false);
  const drawn = rows.slice(first, last);
  const entryOf = ({ entry, at }: PlaceItem): Entry => ({
    size: 0,
    mode: 0,
    ...entry,
    modified: at,
  });
  const code = useLazy(thumbs, drawn.some((row) => isPictured(entryOf(row))));
  const multiple = selection.multiple.value;
  const isSelecting = multiple || (selected.size > 0 && !menu.value?.transientSelection);
  const parts = useLazy(placeParts, isSelecting || menu.value !== null);
  const usable = selected.size === 0
    ? []
    : actions.filter(({ isFor = () => true, isSingle }) =>
      (!isSingle || selected.size === 1) && chosenItems().some(isFor)
    );
  const at = cursor.index.value;
  const stop = at >= first && at < last ? at : first;

  return (
    <>
      <div className="subhead">
        {search}
        <div className={isSelecting && parts ? "chosen" : "subhead__count"}>
          <p role="status" aria-live={isSelecting ? "polite" : "off"}>
            {isSelecting
              ? t("files.selected", { count: selected.size })
              : isPart
              ? ""
              : t("info.many", { count: rows.length })}
          </p>
          {isSelecting && parts && (
            <parts.PlaceBar
              selection={selection}
              menu={menu}
              actions={usable}
              run={run}
            />
          )}
        </div>
        {!isSelecting && acts}
      </div>
      <div
        className="listing"
        ref={list.scroller}
        data-view="list"
        data-places
        data-density={density}
        data-sized={columns.size !== undefined || undefined}
        data-selecting={multiple || undefined}
        onPointerDown={(event) => {
          unmarkText();
          band.onPointerDown(event);
        }}
        onContextMenu={handlers.onContextMenu}
        onKeyDown={handlers.onKeyDown}
        onClick={(event) => {
          if (isEmpty(event.target)) selection.clear();
          handlers.onClick(event);
        }}
      >
        <div
          role="grid"
          id="listing"
          aria-label={label}
          aria-rowcount={isPart ? -1 : rows.length + 1}
          aria-colcount={1 + Object.keys(columns).length}
          aria-multiselectable="true"
        >
          <div role="rowgroup" className="listing__head" ref={head}>
            <ColumnHead
              sorting={sorting}
              columns={columns}
              hasTypes={false}
              isOfPhotos={false}
              onSort={isPart ? undefined : (by) => {
                setSorting((now) => ({ by, asc: now?.by === by ? !now.asc : true }));
              }}
              chosen={selected.size === 0 ? "none" : selected.size === rows.length ? "all" : "some"}
              onChooseAll={() =>
                selected.size === rows.length ? selection.clear() : selection.all()}
            />
          </div>
          <div
            role="rowgroup"
            className="rows"
            ref={list.rows}
            style={box
              ? { blockSize: `${box.height}px`, paddingBlockStart: `${box.top}px` }
              : undefined}
            {...pointer}
          >
            {drawn.flatMap((row, position) => {
              const index = first + position;
              const group = groups[starts?.indexOf(index) ?? -1];
              const entry = entryOf(row);
              return [
                ...group
                  ? [
                    <GroupHeading
                      key={`group ${group.title}`}
                      title={group.title}
                      count={group.count}
                    />,
                  ]
                  : [],
                <EntryRow
                  t={t}
                  key={row.id}
                  entry={entry}
                  room={ROOM}
                  index={index}
                  href={row.href}
                  place={row.placeHref
                    ? (
                      <a className="row__place" href={row.placeHref} tabIndex={-1} dir="auto">
                        {row.place}
                      </a>
                    )
                    : <span className="row__place">{row.place}</span>}
                  selected={selected.has(index)}
                  tabIndex={box ? (index === stop ? 0 : -1) : undefined}
                  size={columns.size === undefined ? undefined : row.size ?? ""}
                  modified={row.when}
                  modifiedFull={row.whenFull}
                  menu={actions.length > 0 && !multiple}
                  picture={code && isPictured(entry)
                    ? <code.Thumb entry={entry} small />
                    : undefined}
                />,
              ];
            })}
          </div>
        </div>
        {more && <MoreRows more={more} onRead={() => newFrom.current = rows.length} />}
        {children}
        <MarqueeBox shown={band.shown} />
      </div>
      {menu.value && parts && (
        <parts.PlaceMenu
          request={menu.value}
          title={selected.size === 1
            ? rows.find((_, index) => selected.has(index))?.entry.name
            : t("files.selected", { count: selected.size })}
          href={selected.size === 1
            ? rows.find((_, index) => selected.has(index))?.href
            : undefined}
          actions={usable}
          run={run}
          onClose={(isChosen) => {
            const request = menu.peek();
            menu.value = null;
            if (request?.transientSelection && !isChosen) selection.clear();
          }}
        />
      )}
    </>
  );
}

interface MoreRowsProps {
  more: PlaceMore;
  onRead: () => void;
}

/** The way to further rows. */
function MoreRows({ more: { href, isBusy, complaint, read }, onRead }: MoreRowsProps) {
  const { t } = useTranslation();
  const show = (event: Event) => {
    event.preventDefault();
    onRead();
    read();
  };
  return (
    <div className="places__more">
      <FormError text={complaint ?? ""} />
      <a
        className="button"
        href={href ?? undefined}
        rel="next"
        role="button"
        tabIndex={0}
        aria-busy={isBusy}
        onClick={show}
        onKeyDown={(event) => (event.key === " " || event.key === "Enter") && show(event)}
      >
        {t("trash.more")}
      </a>
    </div>
  );
}

/** The selection and the cursor of a list. */
function usePlaceModel(
  rows: readonly PlaceItem[],
  hrefOf: (index: number) => string | undefined,
  remove: () => void,
): ListModel {
  const latest = useRef({ rows, hrefOf, remove });
  latest.current = { rows, hrefOf, remove };
  const model = useMemo(() => {
    const present: Signal<Rows> = signal(tableOf(latest.current.rows));
    const selection = new Selection(present);
    const cursor = new Cursor(present, selection);
    let typed = { text: "", at: -Infinity };
    const list: ListModel = {
      ...{ rows: present, selection, cursor },
      openAt(index) {
        const href = latest.current.hrefOf(index);
        if (href) location.assign(href);
      },
      remove: () => latest.current.remove(),
      type(character, at, goToCursor) {
        const text = at - typed.at < TYPING_MS ? typed.text + character : character;
        typed = { text, at };
        const { rows } = latest.current;
        const from = Math.max(0, cursor.index.peek()) + (text.length === 1 ? 1 : 0);
        const order = [...rows.keys()].map((step) => (from + step) % rows.length);
        const found = order.find((index) =>
          rows[index]?.entry.name.toLowerCase().startsWith(text.toLowerCase())
        );
        if (found === undefined) return false;
        cursor.put(found);
        selection.only(found);
        goToCursor();
        return true;
      },
    };
    return { list, present };
  }, []);
  useLayoutEffect(() => {
    model.present.value = tableOf(rows);
    model.list.selection.follow({ sameEntries: false, sameOrder: false });
    model.list.cursor.put(model.list.cursor.index.peek());
  }, [rows.map(({ id }) => id).join("\n")]);
  return model.list;
}

/** Rows whose selection goes by their ids: names occur in many folders. */
function tableOf(rows: readonly PlaceItem[]): Rows {
  const entries = rows.map(({ id, entry }): Entry => ({
    ...{ size: 0, mode: 0, modified: "" },
    ...entry,
    name: id,
  }));
  return new Rows(entries.length).with(0, entries);
}

/** Ctrl+A selects all rows, and never the text of the page. */
function useSelectAll(selection: Selection): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (document.querySelector("dialog:modal")) return;
      if (shortcutOf(event)?.does !== "selectAll") return;
      event.preventDefault();
      unmarkText();
      selection.all();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [selection]);
}

/** Sorts rows: by name with folders first, as in folders. */
function sortRows<Item>(
  rows: { item: Item; row: PlaceItem }[],
  sorting: Sorting | null,
  language: string,
): { item: Item; row: PlaceItem }[] {
  if (!sorting) return rows;
  const { compare } = new Intl.Collator(language, { numeric: true });
  const sign = sorting.asc ? 1 : -1;
  const order: Partial<Record<SortBy, (a: PlaceItem, b: PlaceItem) => number>> = {
    name: (a, b) => compare(a.entry.name, b.entry.name),
    size: (a, b) => (a.bytes ?? -1) - (b.bytes ?? -1),
    // What never ends comes after all that does.
    modified: (a, b) => compare(a.at || "~", b.at || "~"),
  };
  return rows.toSorted(({ row: a }, { row: b }) =>
    Number(b.entry.isDir) - Number(a.entry.isDir) || sign * (order[sorting.by]?.(a, b) ?? 0)
  ).map(({ item, row }) => ({ item, row: { ...row, group: undefined } }));
}

function isSame(a: Sorting | null, b: Sorting | null): boolean {
  return a?.by === b?.by && a?.asc === b?.asc;
}

/** Neighbours of one group; none where rows have no groups. */
function groupsOf(rows: readonly PlaceItem[]): { title: string; count: number }[] {
  const groups: { title: string; count: number }[] = [];
  for (const { group } of rows) {
    if (group === undefined) return [];
    const last = groups.at(-1);
    if (last?.title === group) last.count++;
    else groups.push({ title: group, count: 1 });
  }
  return groups;
}
