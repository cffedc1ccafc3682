import { useSignal } from "@preact/signals";
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { FormError } from "../../../../components/Fields.tsx";
import type { SortBy } from "../../../shared/schemas/choices/choices.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import type { Sorting } from "../../../shared/schemas/view.ts";
import { lazy } from "../../base/core/lazy.ts";
import { usePage } from "../../base/core/page.ts";
import { useLazy } from "../../base/core/use_site.ts";
import { type MenuRequest, rowMenu } from "../menu/row_menu.ts";
import type { Act } from "../selection/Acts.tsx";
import { MarqueeBox, useMarquee } from "../selection/Marquee.tsx";
import { ColumnHead } from "./ColumnHead.tsx";
import { EntryRow } from "./EntryRow.tsx";
import { GroupHeading, startsOf } from "./GroupHeading.tsx";
import {
  groupsOf,
  isSame,
  type PlaceAction,
  type PlaceItem,
  type PlaceMore,
  sortRows,
} from "./place_rows.ts";
import { usePictured } from "./thumbs/EntryIcon.tsx";
import { useFollowedFocus, useListKeys } from "./use_list_keys.ts";
import { listHandlers, useListPointer } from "./use_list_pointer.ts";
import { usePlaceModel, useSelectAll } from "./use_place_model.ts";
import { useWindow } from "./use_window.ts";

const thumbs = lazy(() => import("./thumbs/Thumb.tsx"));
const quickActs = lazy(() => import("../selection/QuickActs.tsx"));
const actParts = lazy(() => import("../selection/Acts.tsx"));

/** The characters of a name that are nearly always in view. */
const ROOM = 32;

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
  /** With the time of the file itself, by which its thumbnail is kept. */
  const picturedOf = (row: PlaceItem): Entry => ({ ...entryOf(row), ...row.entry });
  const code = useLazy(thumbs, drawn.some((row) => isPictured(entryOf(row))));
  const multiple = selection.multiple.value;
  const isSelecting = multiple || (selected.size > 0 && !menu.value?.transientSelection);
  const parts = useLazy(actParts, isSelecting || menu.value !== null);
  const quick = useLazy(quickActs, box !== null && actions.length > 0);
  const usable = selected.size === 0
    ? []
    : actions.filter(({ isFor = () => true, isSingle }) =>
      (!isSingle || selected.size === 1) && chosenItems().some(isFor)
    ).map((action) => ({ ...action, run: () => run(action) }));
  const actsAt = (index: number): Act[] => {
    const { item } = shown[index] ?? {};
    if (item === undefined) return [];
    return actions.filter(({ isFor = () => true }) => isFor(item))
      .map((action) => ({
        ...action,
        title: `${action.label}: ${rows[index]?.entry.name}`,
        run: () => action.run([item]),
      }));
  };
  const only = selected.size === 1 ? rows.find((_, index) => selected.has(index)) : undefined;
  const { href } = only ?? {};
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
              acts={usable}
              onMore={(point) => menu.value = { of: "selection", ...point }}
            />
          )}
        </div>
        {acts}
      </div>
      <div
        className="listing"
        ref={list.scroller}
        data-view="list"
        data-places
        data-density={density}
        data-sized={columns.size !== undefined || undefined}
        data-selecting={multiple || undefined}
        {...listHandlers(handlers, band, selection)}
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
                    ? <code.Thumb entry={picturedOf(row)} small />
                    : undefined}
                />,
              ];
            })}
          </div>
        </div>
        {quick && !isSelecting && (
          <quick.QuickActs scroller={list.scroller} menu={menu} actsAt={actsAt} />
        )}
        {more && <MoreRows more={more} onRead={() => newFrom.current = rows.length} />}
        {children}
        <MarqueeBox shown={band.shown} />
      </div>
      {menu.value && parts && (
        <parts.ActMenu
          request={menu.value}
          title={only?.entry.name ?? t("files.selected", { count: selected.size })}
          onOpen={href === undefined ? undefined : () => location.assign(href)}
          acts={usable}
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
