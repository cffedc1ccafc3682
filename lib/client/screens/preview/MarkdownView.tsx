import { useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { FileSkeleton } from "../../files_page/listing/Skeletons.tsx";
import { LoadFailed } from "../../../../components/StatusScreen.tsx";
import type { EntryPath } from "../../../shared/path.ts";
import { lazy } from "../../base/core/lazy.ts";
import { decoded } from "./markdown_links.ts";
import { inlineAddress } from "./preview_source.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { useApi } from "../../base/core/use_site.ts";

/** The code that renders documents. */
export const renderer = lazy(() => import("./markdown.ts"));

interface MarkdownViewProps {
  text: string;
  /** The path of the document, the base of its relative links. */
  path: EntryPath;
  /** It is a part of a page and not the page itself: it takes no focus. */
  isPart?: boolean;
}

/** A rendered Markdown document. */
export function MarkdownView({ text, path, isPart }: MarkdownViewProps) {
  const { t } = useTranslation();
  const { navigation } = useFiles();
  const api = useApi();
  const frame = useRef<HTMLDivElement>(null);
  const scrolled = useRef<number | null>(null);
  scrolled.current ??= isPart ? 0 : firstScroll();
  const state = renderer.state.value;
  useEffect(() => void renderer.load(), []);
  useLayoutEffect(() => {
    if (state.is !== "ready") return;
    const sheet = state.value.renderMarkdown(text, {
      document: path,
      pageOf: (at, folder) => navigation.href(at, folder),
      contentOf: (at) => inlineAddress(api, at),
    });
    frame.current?.replaceChildren(sheet);
    if (isPart) return;
    if (scrolled.current) frame.current?.scrollTo(0, scrolled.current);
    scrolled.current = 0;
    // After following a link the focus is still in the hidden text of the former document.
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.closest("[hidden]")) {
      focusQuietly(frame.current);
    }
  }, [state, text, path]);

  if (state.is === "loading") return <FileSkeleton isText />;
  if (state.is === "failed") return <LoadFailed onRetry={() => void renderer.load()} />;
  return (
    <div
      className="markdown"
      ref={frame}
      tabIndex={isPart ? undefined : 0}
      role="document"
      aria-label={t("preview.rendered")}
      onBlur={showFocus}
      onKeyDown={showFocus}
      onClick={(event) => {
        const place = placeOf(event.target);
        if (place === null) return;
        event.preventDefault();
        frame.current?.querySelector(`[id="${CSS.escape(place)}"]`)?.scrollIntoView();
      }}
    />
  );
}

/** How far the document that the server has drawn was scrolled, which this one replaces. */
function firstScroll(): number {
  return globalThis.document?.querySelector(".first-look .markdown")?.scrollTop ?? 0;
}

/** Focuses a document without a ring around it: it was opened, and no key has led to it. */
function focusQuietly(element: HTMLElement | null): void {
  if (!element) return;
  element.dataset.quiet = "";
  element.focus({ preventScroll: true });
}

function showFocus({ currentTarget }: { currentTarget: HTMLElement }): void {
  delete currentTarget.dataset.quiet;
}

/** The target of a click within the document; null for other links. */
function placeOf(target: EventTarget | null): string | null {
  const link = target instanceof Element ? target.closest("a[href^='#']") : null;
  const href = link?.getAttribute("href");
  return href ? decoded(href.slice(1)) : null;
}
