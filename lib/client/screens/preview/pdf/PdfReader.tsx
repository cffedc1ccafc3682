import {
  ChevronDown,
  ChevronUp,
  FileX,
  Lock,
  MoveHorizontal,
  Search,
  X,
  ZoomIn,
  ZoomOut,
} from "lucide";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../../../components/Button.tsx";
import { TextField } from "../../../../../components/Fields.tsx";
import { StatusScreen } from "../../../../../components/StatusScreen.tsx";
import { displayName } from "../../../../shared/entry_names.ts";
import { textElement, usePrintable } from "../../../base/core/print_sheet.ts";
import { useFiles } from "../../../base/files/use_files.ts";
import { FileSkeleton } from "../../../files_page/listing/Skeletons.tsx";
import { OpenPdf } from "./open_pdf.ts";

/** The props of {@linkcode PdfReader}. */
export interface PdfReaderProps {
  name: string;
  address: string;
  /** The address is good for one request. */
  isWhole: boolean;
  /** Ways out where it can't be shown. */
  otherwise: ReactNode;
}

/** A PDF in a browser without a reader of its own. */
export function PdfReader({ name, address, isWhole, otherwise }: PdfReaderProps) {
  const { t, i18n: { language } } = useTranslation();
  const { navigation } = useFiles();
  const container = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [pdf, setPdf] = useState<OpenPdf | null>(null);
  const [isSearching, setSearching] = useState(false);
  const [query, setQuery] = useState("");
  useEffect(() => {
    if (!container.current) return;
    const opened = new OpenPdf(container.current, {
      ...{ address, isWhole },
      pageLabel: (page) => t("reader.pageLabel", { page }),
    });
    setPdf(opened);
    return () => opened.close();
  }, [address]);
  usePrintable({
    prepare: async () => await pdf?.drawForPrint(),
    build() {
      if (!pdf) return null;
      const pages: Node[] = pdf.printed.map((src) =>
        Object.assign(document.createElement("img"), { src, className: "printed__page", alt: "" })
      );
      // The browser's own menu waits for nothing: it prints what is drawn.
      if (pages.length === 0) pages.push(...drawnPages(container.current));
      const [shown, size] = [pages.length, pdf.pages.peek()];
      const cut = t("preview.firstPart", { shown, size });
      return shown < size ? [...pages, textElement("p", cut)] : pages;
    },
  });

  const state = pdf?.state.value ?? "loading";
  useEffect(() => {
    // For the keys that scroll, unless something else has the focus.
    const { activeElement } = document;
    const isFree = activeElement === document.body || activeElement?.matches(".viewer");
    if (state !== "shown" || !isFree || !container.current) return;
    container.current.dataset.quiet = "";
    container.current.focus({ preventScroll: true });
  }, [state]);
  if (state === "failed") {
    return (
      <StatusScreen glyph={FileX} title={displayName(name)} text={t("reader.pdfFailed")}>
        {otherwise}
      </StatusScreen>
    );
  }
  const page = pdf?.page.value ?? 1;
  const total = pdf?.pages.value ?? 0;
  const percent = (pdf?.scale.value ?? 1).toLocaleString(language, { style: "percent" });
  const matches = pdf?.matches.value ?? null;
  const openSearch = () => {
    setSearching(true);
    requestAnimationFrame(() => search.current?.select());
  };
  const closeSearch = () => {
    setSearching(false);
    setQuery("");
    pdf?.find("");
    container.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isTyped = event.target instanceof HTMLInputElement;
    const withControl = event.ctrlKey || event.metaKey;
    if (withControl && event.key.toLowerCase() === "f" && !event.altKey) openSearch();
    else if (withControl || event.altKey || (isTyped && event.key !== "Escape")) return;
    // The viewer has closed already, unless the focus is in the bar.
    else if (event.key === "Escape" && event.defaultPrevented) return;
    else if (event.key === "Escape") isSearching ? closeSearch() : navigation.leave();
    else if (event.key === "+" || event.key === "=") pdf?.zoom(1);
    else if (event.key === "-") pdf?.zoom(-1);
    else if (event.key === "0") pdf?.zoom(0);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section
      className="pdf"
      aria-label={displayName(name)}
      data-state={state}
      onKeyDown={onKeyDown}
    >
      <div className="paper__bar pdf__bar" data-own-keys>
        <span className="pdf__place">
          <input
            className="pdf__page"
            type="text"
            inputMode="numeric"
            aria-label={t("reader.page")}
            disabled={state !== "shown"}
            value={page}
            onFocus={({ currentTarget }) => currentTarget.select()}
            onKeyDown={({ key, currentTarget }) => key === "Enter" && currentTarget.blur()}
            onBlur={({ currentTarget }) => {
              pdf?.goTo(parseInt(currentTarget.value));
              currentTarget.value = String(pdf?.page.peek() ?? 1);
            }}
          />
          {total > 0 && <span>/ {total.toLocaleString(language)}</span>}
        </span>
        <IconButton
          label={t("preview.zoomOut")}
          glyph={ZoomOut}
          disabled={state !== "shown"}
          onClick={() => pdf?.zoom(-1)}
        />
        <span className="pdf__percent">{percent}</span>
        <IconButton
          label={t("preview.zoomIn")}
          glyph={ZoomIn}
          disabled={state !== "shown"}
          onClick={() => pdf?.zoom(1)}
        />
        <IconButton
          label={t("reader.fitWidth")}
          glyph={MoveHorizontal}
          disabled={state !== "shown"}
          onClick={() => pdf?.zoom(0)}
        />
        <IconButton
          label={t("editor.find")}
          glyph={Search}
          disabled={state !== "shown"}
          aria-expanded={isSearching}
          onClick={() => isSearching ? closeSearch() : openSearch()}
        />
      </div>
      {isSearching && (
        <form
          className="paper__bar pdf__search"
          role="search"
          data-own-keys
          onSubmit={(event) => {
            event.preventDefault();
            pdf?.find(query);
          }}
        >
          <input
            className="field__input"
            ref={search}
            type="search"
            aria-label={t("editor.find")}
            value={query}
            onInput={({ currentTarget: { value } }) => {
              setQuery(value);
              pdf?.find(value);
            }}
          />
          <span className="paper__place" role="status">
            {matches && (matches.total === 0
              ? t("search.noneTitle")
              : t("reader.place", { place: matches.current, total: matches.total }))}
          </span>
          <IconButton
            label={t("editor.previous")}
            glyph={ChevronUp}
            onClick={() => pdf?.find(query, -1)}
          />
          <IconButton label={t("editor.next")} glyph={ChevronDown} type="submit" />
          <IconButton label={t("buttons.close")} glyph={X} onClick={closeSearch} />
        </form>
      )}
      <div className="pdf__room">
        <div
          className="pdf__pages"
          ref={container}
          role="document"
          tabIndex={0}
          aria-label={displayName(name)}
          onPointerDown={(event) => event.stopPropagation()}
          onBlur={({ currentTarget }) => delete currentTarget.dataset.quiet}
        >
          <div className="pdfViewer" />
        </div>
        {state === "loading" && <FileSkeleton isText />}
        {(state === "locked" || state === "wrong") && (
          <Unlock
            isWrong={state === "wrong"}
            onTry={(password) => pdf?.unlock(password)}
          />
        )}
      </div>
    </section>
  );
}

/** Copies of the pages that are on screen, or near. */
function drawnPages(container: HTMLElement | null): HTMLCanvasElement[] {
  const drawn = container?.querySelectorAll<HTMLCanvasElement>(".page .canvasWrapper > canvas");
  return [...drawn ?? []].map((page) => {
    const { width, height } = page;
    const copy = Object.assign(document.createElement("canvas"), { width, height });
    copy.className = "printed__page";
    copy.getContext("2d")?.drawImage(page, 0, 0);
    return copy;
  });
}

interface UnlockProps {
  isWrong: boolean;
  onTry: (password: string) => void;
}

/** Asks for the password of a PDF. It stays in the browser. */
function Unlock({ isWrong, onTry }: UnlockProps) {
  const { t } = useTranslation();
  const [password, setPassword] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      className="pdf__lock"
      data-own-keys
      onSubmit={(event) => {
        event.preventDefault();
        onTry(password);
      }}
    >
      <StatusScreen glyph={Lock} title={t("reader.pdfLocked")} />
      <TextField
        name="pdf-password"
        label={t("login.password")}
        type="password"
        autoComplete="off"
        inputRef={field}
        complaint={isWrong ? t("reader.pdfWrong") : undefined}
        value={password}
        onChange={setPassword}
      />
      <Button type="submit" variant="primary" disabled={password === ""}>
        {t("buttons.open")}
      </Button>
    </form>
  );
}
