import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { TableCard, type TableCardProps } from "../../../../../components/Card.tsx";
import { FormError, TextField } from "../../../../../components/Fields.tsx";
import { type ShownList, useNewRowFocus } from "./use_pages.ts";

interface ListProps {
  list: Omit<ShownList<unknown>, "change">;
  /** What the names in the address of the page begin with. */
  name?: string;
  /** The list is a part of a form, which is not to be sent by Enter. */
  inForm?: boolean;
}

/** The search field of a list that has more than one page. Without scripts it is a form. */
export function ListSearch({ list, name = "", inForm = false }: ListProps) {
  const { t } = useTranslation();
  if (!list.isLong) return null;
  const field = (
    <TextField
      name={`${name}query`}
      type="search"
      label={t("search.label")}
      verbatim
      enterKeyHint="search"
      value={list.query}
      onChange={(text) => list.search(text)}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.preventDefault();
      }}
    />
  );
  if (inForm) return <div role="search" className="list-search">{field}</div>;
  return <form method="get" role="search" className="list-search">{field}</form>;
}

/**
 * The end of a list: how many items are shown, and the way to more, after which the first new row
 * has the focus. Without scripts that is a link to a page with the next ones.
 */
function ListEnd({ list }: ListProps) {
  const { t, i18n: { language } } = useTranslation();
  const { items, next, busy, query, total } = list;
  const noteLastRow = useNewRowFocus(items);
  if (!list.isLong) return null;
  const showMore = (button: Element) => {
    noteLastRow(button.closest("fieldset, .card"));
    void list.more();
  };
  const count = new Intl.NumberFormat(language);
  const isNothing = items.length === 0 && !busy;
  return (
    <div className="list-end">
      <FormError text={list.complaint} />
      <p role="status">
        {isNothing && next === null
          ? t("trash.nothing")
          : query === "" && total !== undefined
          ? t("quota.bytesOf", { used: count.format(items.length), total: count.format(total) })
          : t("table.rows", { amount: items.length })}
      </p>
      {next !== null && (
        <a
          className="button"
          href={next}
          rel="next"
          role="button"
          aria-busy={busy}
          onClick={(event) => {
            event.preventDefault();
            showMore(event.currentTarget);
          }}
          onKeyDown={(event) => {
            if (event.key !== " ") return;
            event.preventDefault();
            showMore(event.currentTarget);
          }}
        >
          {t("trash.more")}
        </a>
      )}
    </div>
  );
}

interface PagedTableProps<Item> extends Omit<TableCardProps, "filter" | "acts" | "children"> {
  list: ShownList<Item>;
  /** What the names in the address of the page begin with. */
  name?: string;
  /** Shown in place of a table without rows. */
  empty?: ReactNode;
  row: (item: Item) => ReactNode;
}

/** A list in a table: searched, shown page by page, or said to be empty. */
export function PagedTable<Item>({ list, name, empty, row, ...card }: PagedTableProps<Item>) {
  if (empty !== undefined && list.items.length === 0 && !list.isLong) return empty;
  return (
    <TableCard
      {...card}
      filter={<ListSearch list={list} name={name} />}
      acts={list.isLong && <ListEnd list={list} />}
    >
      {list.items.map(row)}
    </TableCard>
  );
}

/** A list of lines, searched and shown page by page. */
export function PagedList({ children, ...props }: ListProps & { children: ReactNode }) {
  return (
    <>
      <ListSearch {...props} />
      {children}
      <ListEnd list={props.list} />
    </>
  );
}
