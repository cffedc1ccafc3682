import { ListFilter, SearchX, X } from "lucide";
import { useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { displayName } from "../../../shared/entry_names.ts";
import { nameOf } from "../../../shared/path.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { StatusScreen } from "../../../../components/StatusScreen.tsx";

/** Debounce of typing, in milliseconds. */
const PAUSE_MS = 120;

/** The field that filters the open folder while one types; Esc ends it. */
export function FilterBar() {
  const { t } = useTranslation();
  const { listing } = useFiles();
  const [text, setText] = useState(listing.filter.peek() ?? "");
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // As soon as the field is there: what is typed from now on is its text.
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(text.length, text.length);
    return () => clearTimeout(timer.current);
  }, []);
  const narrow = (filter: string | null) => {
    clearTimeout(timer.current);
    void listing.narrow(filter);
  };
  const goToRows = () => {
    if (listing.rows.peek().total > 0) listing.cursor.call(0);
  };
  const end = () => {
    narrow(null);
    goToRows();
  };
  const press = (event: KeyboardEvent): boolean => {
    if (event.isComposing) return false;
    if (event.key === "Escape") end();
    else if (event.key === "Enter" || event.key === "ArrowDown") {
      narrow(text);
      goToRows();
    } else return event.key === "/"; // No name has one: the key came twice.
    return true;
  };
  const isNone = listing.rows.value.total === 0 && !listing.refreshing.value;
  return (
    <div className="filter" role="search">
      <h1 className="unseen">{displayName(nameOf(listing.path.value)) || t("files.myFiles")}</h1>
      <Icon glyph={ListFilter} />
      <input
        ref={field}
        className="filter__input"
        type="text"
        aria-label={t("files.filter")}
        placeholder={t("files.filter")}
        value={text}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellcheck={false}
        onInput={(event) => {
          const { value } = event.currentTarget;
          setText(value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => narrow(value), PAUSE_MS);
        }}
        onKeyDown={(event) => press(event) && event.preventDefault()}
      />
      <p role="status" className="unseen">{isNone ? t("search.noneTitle") : ""}</p>
      <IconButton label={t("files.filterEnd")} glyph={X} onClick={end} />
    </div>
  );
}

/** In place of the rows when no name has what is typed. */
export function FilterNone() {
  const { t } = useTranslation();
  const { listing } = useFiles();
  if (listing.rows.value.total > 0 || listing.refreshing.value) return null;
  return (
    <StatusScreen glyph={SearchX} title={t("search.noneTitle")} text="">
      <Button onClick={() => void listing.narrow(null)}>{t("files.filterEnd")}</Button>
    </StatusScreen>
  );
}
