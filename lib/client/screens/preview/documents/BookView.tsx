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
import { CHAPTER, documentSheet } from "./chapter_sheet.ts";
import { type Book, openBook } from "./epub.ts";

/** The longest part of a book that is shown, in bytes. */
const LONGEST_PART = 8 * 2 ** 20;

/** An EPUB, chapter by chapter. Its parts are read out of it one by one, by the server. */
export function Reader({ entry }: ReaderProps) {
  const { t } = useTranslation();
  const { calls } = useApi();
  const { navigation } = useFiles();
  const { path: at } = parsePath(entry.path);
  const api = useMemo(() => new ArchiveApi(calls), [calls]);
  const [book, setBook] = useState<Book | null | "failed">(null);
  const [number, setNumber] = useState(0);
  const [text, setText] = useState<string | null>(null);
  const paper = useRef<HTMLDivElement>(null);
  const read = async (part: string) => {
    const answer = await api.content(at, part);
    if (!answer.ok) return null;
    if (Number(answer.value.headers.get("content-length")) > LONGEST_PART) {
      await answer.value.body?.cancel();
      return null;
    }
    return new TextDecoder().decode(await answer.value.bytes().catch(() => new Uint8Array()));
  };
  useEffect(() => {
    let isOver = false;
    void openBook(read).then((found) => isOver || setBook(found ?? "failed"));
    return () => {
      isOver = true;
    };
  }, [at, entry.modified]);
  const chapter = book && book !== "failed" ? book.chapters[number] : undefined;
  useEffect(() => {
    if (!chapter) return;
    let isOver = false;
    void read(chapter.path).then((html) => isOver || setText(html ?? ""));
    return () => {
      isOver = true;
    };
  }, [chapter]);
  useEffect(() => {
    if (text === null || !chapter) return;
    const pictureOf = (part: string) => api.address(at, part, { inline: true });
    paper.current?.replaceChildren(documentSheet(text, { path: chapter.path, pictureOf }));
    paper.current?.scrollTo(0, 0);
  }, [text]);

  if (book === "failed") {
    return (
      <StatusScreen glyph={BookX} title={displayName(entry.name)} text={t("reader.bookFailed")}>
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
          {book.chapters.map(({ path, title }, index) => (
            <option key={path} value={String(index)}>
              {title || t("reader.part", { place: index + 1 })}
            </option>
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
      <div
        className="paper__sheet markdown"
        ref={paper}
        role="document"
        tabIndex={0}
        aria-label={chapter?.title || t("reader.part", { place: number + 1 })}
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
