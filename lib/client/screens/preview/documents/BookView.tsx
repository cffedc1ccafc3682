import { BookX, ChevronLeft, ChevronRight } from "lucide";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../../components/Button.tsx";
import { StatusScreen } from "../../../../../components/StatusScreen.tsx";
import { displayName } from "../../../../shared/entry_names.ts";
import { parsePath } from "../../../../shared/path.ts";
import { useApi } from "../../../base/core/use_site.ts";
import { FileSkeleton } from "../../../files_page/listing/Skeletons.tsx";
import { useFiles } from "../../../base/files/use_files.ts";
import { ArchiveApi } from "../archive/archive_contents.ts";
import { DownloadLink, type ReaderProps } from "../Content.tsx";
import { readNow, textElement, usePrintable } from "../../../base/core/print_sheet.ts";
import { CHAPTER, documentSheet } from "./chapter_sheet.ts";
import { type BookParts, listParts } from "./book_parts.ts";
import { type Book, type Chapter, headingOf, openBook } from "./epub.ts";
import { charsetOf } from "../large_text.ts";
import { decodePart } from "./lenient_xml.ts";

/** The longest part of a book that is shown, in bytes. */
const LONGEST_PART = 8 * 2 ** 20;

/** Chapters whose headings are looked for: how many, how many at a time, and how long, in bytes. */
const MOST_HEADED = 500;
const HEADINGS_AT_A_TIME = 8;
const LONGEST_HEADED = 512 * 1024;

/** A book that is open. */
interface OpenBook {
  book: Book;
  parts: BookParts;
}

/** An EPUB, chapter by chapter. Its parts are read out of it one by one, by the server. */
export function Reader({ entry }: ReaderProps) {
  const { t } = useTranslation();
  const { calls } = useApi();
  const { navigation } = useFiles();
  const { path: at } = parsePath(entry.path);
  const api = useMemo(() => new ArchiveApi(calls), [calls]);
  const [open, setOpen] = useState<OpenBook | "failed" | "locked" | null>(null);
  const [number, setNumber] = useState(0);
  /** The text of the chapter; null until it is there, or false when it can't be had. */
  const [text, setText] = useState<string | false | null>(null);
  /** First headings of chapters that the table of contents does not name. */
  const [headings, setHeadings] = useState<ReadonlyMap<string, string>>(new Map());
  const paper = useRef<HTMLDivElement>(null);
  const read = async (part: string, signal?: AbortSignal) => {
    const answer = await api.content(at, part, signal);
    if (!answer.ok) return null;
    if (Number(answer.value.headers.get("content-length")) > LONGEST_PART) {
      await answer.value.body?.cancel();
      return null;
    }
    const encoding = charsetOf(answer.value);
    return await answer.value.bytes().then((bytes) => decodePart(bytes, encoding), () => null);
  };
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const openAll = async () => {
      const parts = await listParts(api, at, signal);
      const book = parts && await openBook(parts, (part) => read(part, signal));
      if (signal.aborted) return;
      if (!parts || !book || book === "locked") return setOpen(book === "locked" ? book : "failed");
      setOpen({ book, parts });
      await findHeadings(
        book.chapters.filter(({ path }) => parts.sizeOf(path) <= LONGEST_HEADED),
        book.title,
        (path) => read(path, signal),
        (found) => signal.aborted || setHeadings(found),
      );
    };
    void openAll();
    return () => leaving.abort();
  }, [at, entry.modified]);
  const { book, parts } = open instanceof Object ? open : { book: null, parts: null };
  const chapter = book?.chapters[number];
  useEffect(() => {
    if (!chapter) return;
    let isOver = false;
    setText(null);
    const reading = chapter.fault || chapter.isPicture ? Promise.resolve(null) : read(chapter.path);
    const address = chapter.path.split("/").map(encodeURIComponent).join("/");
    const picture = chapter.isPicture && !chapter.fault && `<img src="${address}">`;
    void reading.then((html) => isOver || setText(picture || (html ?? false)));
    return () => {
      isOver = true;
    };
  }, [chapter]);
  useEffect(() => {
    if (typeof text !== "string" || !chapter || !parts) return;
    const pictureOf = (part: string) => api.address(at, part, { inline: true });
    const find = (part: string) => parts.find(part);
    paper.current?.replaceChildren(documentSheet(text, { path: chapter.path, pictureOf, find }));
    paper.current?.scrollTo(0, 0);
  }, [text]);

  const printed = useRef(new Map<string, string>());
  usePrintable({
    async prepare() {
      for (const { path } of toPrint(book, parts)) {
        if (printed.current.has(path)) continue;
        const html = await read(path);
        if (html !== null) printed.current.set(path, html);
      }
    },
    build() {
      if (!book || !parts) return null;
      const pictureOf = (part: string) => api.address(at, part, { inline: true });
      const find = (part: string) => parts.find(part);
      const chapters = toPrint(book, parts);
      const sheets = chapters.flatMap(({ path }) => {
        const html = printed.current.get(path) ?? decodeNow(readNow(api.address(at, path)));
        return html === null ? [] : [documentSheet(html, { path, pictureOf, find })];
      });
      const all = book.chapters.filter(isWritten).length;
      const cut = t("preview.firstPart", { shown: chapters.length, size: all });
      return chapters.length < all ? [...sheets, textElement("p", cut)] : sheets;
    },
  });

  if (open === "failed" || open === "locked") {
    const reason = open === "locked" ? t("reader.bookLocked") : t("reader.bookFailed");
    return (
      <StatusScreen glyph={BookX} title={displayName(entry.name)} text={reason}>
        <DownloadLink path={at} />
      </StatusScreen>
    );
  }
  if (!book) return <FileSkeleton isText />;
  const last = book.chapters.length - 1;
  const follow = (link: Element) => {
    const to = book.chapters.findIndex(({ path }) => path === link.getAttribute(CHAPTER));
    if (to >= 0) setNumber(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const onwards = document.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
    const backwards = document.dir === "rtl" ? "ArrowRight" : "ArrowLeft";
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") navigation.leave();
    else if (event.key === onwards) setNumber(Math.min(number + 1, last));
    else if (event.key === backwards) setNumber(Math.max(number - 1, 0));
    else return;
    event.preventDefault();
  };
  const nameOf = ({ path, title }: Chapter, index: number) =>
    title || headings.get(path) || t("reader.part", { place: index + 1 });
  const place = { place: number + 1, total: book.chapters.length };
  return (
    <section
      className="paper"
      aria-label={book.title || displayName(entry.name)}
      data-own-keys
      onKeyDown={onKeyDown}
    >
      <div className="paper__bar">
        <IconButton
          label={t("reader.previousChapter")}
          glyph={ChevronLeft}
          mirror
          disabled={number === 0}
          onClick={() => setNumber(number - 1)}
        />
        <select
          className="paper__chapters"
          aria-label={t("reader.chapter")}
          value={String(number)}
          onChange={({ currentTarget }) => setNumber(Number(currentTarget.value))}
        >
          {book.chapters.map((one, index) => (
            <option key={index} value={String(index)}>{nameOf(one, index)}</option>
          ))}
        </select>
        <p className="paper__place" role="status">{t("reader.place", place)}</p>
        <IconButton
          label={t("reader.nextChapter")}
          glyph={ChevronRight}
          mirror
          disabled={number === last}
          onClick={() => setNumber(number + 1)}
        />
      </div>
      {text === false && chapter && (
        <StatusScreen
          glyph={BookX}
          title={nameOf(chapter, number)}
          text={chapter.fault === "locked"
            ? t("reader.chapterLocked")
            : chapter.fault === "foreign"
            ? t("preview.none")
            : t("reader.chapterMissing", { name: displayName(chapter.path.replace(/^\//, "")) })}
        />
      )}
      <div
        className="paper__sheet markdown"
        ref={paper}
        hidden={text === false}
        role="document"
        tabIndex={0}
        aria-label={chapter && nameOf(chapter, number)}
        onClick={(event) => {
          const { target } = event;
          const link = target instanceof Element ? target.closest(`[${CHAPTER}]`) : null;
          if (!link) return;
          event.preventDefault();
          follow(link);
        }}
        onPointerDown={(event) => event.stopPropagation()}
      />
    </section>
  );
}

/** The most that is printed of a book, in bytes: the longest novels. */
const MOST_PRINTED = 16 * 2 ** 20;

/** The chapters of a book that are printed. */
function toPrint(book: Book | null, parts: BookParts | null): Chapter[] {
  let bytes = 0;
  return (book?.chapters ?? []).filter(isWritten)
    .filter(({ path }) => (bytes += parts?.sizeOf(path) ?? 0) <= MOST_PRINTED);
}

/** Whether a chapter is a text that can be read. */
function isWritten({ fault, isPicture }: Chapter): boolean {
  return !fault && !isPicture;
}

function decodeNow(bytes: Uint8Array<ArrayBuffer> | null): string | null {
  return bytes && decodePart(bytes);
}

/** Finds first headings of chapters without a title, some at a time, and tells of them now and then. */
async function findHeadings(
  chapters: readonly Chapter[],
  title: string,
  read: (path: string) => Promise<string | null>,
  tell: (found: ReadonlyMap<string, string>) => void,
): Promise<void> {
  const found = new Map<string, string>();
  const waiting = chapters.filter(({ title, fault, isPicture }) => !title && !fault && !isPicture)
    .slice(0, MOST_HEADED);
  while (waiting.length > 0) {
    await Promise.all(
      waiting.splice(0, HEADINGS_AT_A_TIME).map(async ({ path }) => {
        const text = await read(path);
        const heading = text && headingOf(text, title);
        if (heading) found.set(path, heading);
      }),
    );
    tell(new Map(found));
  }
}
