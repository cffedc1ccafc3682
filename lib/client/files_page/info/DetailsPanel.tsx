import { X } from "lucide";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../components/Button.tsx";
import { displayName } from "../../../shared/entry_names.ts";
import { targetOf } from "../../base/files/target.ts";
import { DETAILS } from "../../base/core/keyboard.ts";
import { keepIn, openLocalStorage } from "../../base/core/browser_storage.ts";
import { useMedia } from "../listing/FileList.tsx";
import { useFiles } from "../../base/files/use_files.ts";
import type { InfoQuestion } from "../../base/prompts/prompts.ts";
import { DETAILS_KEY, focusBeside, WIDE } from "../../base/files/page_dom.ts";
import { EntryDetails, ManyDetails } from "./EntryDetails.tsx";

/** Debounce, so that a held arrow key shows the details of no entry on the way, in milliseconds. */
const REST_MS = 120;

/**
 * The details at the side of the listing, or of the open file: of what is selected, otherwise of
 * the folder. It stays open until it is closed, on the next visit, too.
 */
export function DetailsPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const panel = useRef<HTMLElement>(null);
  const before = useRef<Element | null>(null);
  const isWide = useMedia(WIDE);
  const shown = useShown();

  useEffect(() => {
    const storage = openLocalStorage();
    keepIn(storage, DETAILS_KEY, "open");
    return () => storage.removeItem(DETAILS_KEY);
  }, []);
  useEffect(() => {
    const timer = setTimeout(revealSelected, REST_MS);
    return () => clearTimeout(timer);
  }, []);
  const leave = () => focusBeside(before.current);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "F6" || event.defaultPrevented) return;
      if (!panel.current || document.querySelector("dialog:modal")) return;
      event.preventDefault();
      if (panel.current.contains(document.activeElement)) leave();
      else panel.current.focus();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  if (!isWide) return null;

  const close = () => {
    if (panel.current?.contains(document.activeElement)) leave();
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys for the page go on to it; those for the rows do not, so that arrows scroll here.
    if (/^F\d+$/.test(event.key)) return;
    event.stopPropagation();
    const isOfPrompt = event.target instanceof Element && event.target.closest("dialog");
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const closes = event.key === "Escape" || event.key === DETAILS && isPlain;
    if (!closes || event.defaultPrevented || isOfPrompt) return;
    event.preventDefault();
    close();
  };
  const only = shown?.count === 1 ? shown.entries[0] : undefined;
  const title = !shown
    ? t("buttons.info")
    : only
    ? displayName(only.name) || t("files.myFiles")
    : t("info.many", { count: shown.count });
  return (
    <aside
      ref={panel}
      className="details"
      tabIndex={-1}
      aria-label={t("buttons.info")}
      onKeyDown={onKeyDown}
      onFocusIn={({ relatedTarget }) => {
        const from = relatedTarget as Element | null;
        if (from && !panel.current?.contains(from)) before.current = from;
      }}
    >
      <header className="details__head">
        <h2 className="details__title" dir="auto">{title}</h2>
        <IconButton label={t("info.close")} glyph={X} onClick={close} />
      </header>
      {only
        ? <EntryDetails key={only.path} entry={only} />
        : shown && shown.count > 1 && <ManyDetails input={shown} />}
    </aside>
  );
}

/** Brings the selected row back into view when the listing has become narrower, in a grid say. */
function revealSelected(): void {
  const selected = document.querySelectorAll("#listing [data-index][aria-selected='true']");
  if (selected.length === 1) selected[0]?.scrollIntoView({ block: "nearest" });
}

/** The subject of the details, once the selection rests; null until it is loaded. */
function useShown(): InfoQuestion | null {
  const { listing } = useFiles();
  const resource = listing.resource.value;
  const rows = listing.rows.value;
  const selected = listing.selection.now.value;
  const [shown, setShown] = useState<InfoQuestion | null>(null);

  useEffect(() => {
    if (!resource) return;
    const timer = setTimeout(() => {
      const { folder, size, names, known } = targetOf(listing);
      const entries = size === 0 ? [resource] : known();
      setShown({ folder, names, entries, count: Math.max(1, size) });
    }, shown ? REST_MS : 0);
    return () => clearTimeout(timer);
  }, [resource, rows, selected]);

  return shown;
}
