import { useEffect, useLayoutEffect, useRef } from "react";
import { FileSkeleton } from "../navigation/FileSkeleton.tsx";
import { LoadFailed } from "../listing/LoadFailed.tsx";
import type { EntryPath } from "../../shared/path.ts";
import { LatePart } from "../core/late_part.ts";
import { decoded } from "./markdown_links.ts";
import { inlineAddress } from "./preview_source.ts";
import { useFiles } from "../navigation/use_files.ts";
import { useApi } from "../core/use_site.ts";
import { useTranslation } from "../core/use_translation.ts";

const renderer = new LatePart(() => import("./markdown.ts"));

interface MarkdownViewProps {
  text: string;
  /** The path of the document, from which its links and pictures count. */
  path: EntryPath;
}

/** A Markdown document as it is meant to be read. */
export function MarkdownView({ text, path }: MarkdownViewProps) {
  const { t } = useTranslation();
  const { navigation } = useFiles();
  const api = useApi();
  const frame = useRef<HTMLDivElement>(null);
  const state = renderer.now.value;
  useEffect(() => renderer.want(), []);
  useLayoutEffect(() => {
    if (state.is !== "ready") return;
    const sheet = state.part.renderMarkdown(text, {
      document: path,
      pageOf: (at, folder) => navigation.href(at, folder),
      contentOf: (at) => inlineAddress(api, at),
    });
    frame.current?.replaceChildren(sheet);
    // Whoever comes from another document had the focus in its text, which is hidden.
    const { activeElement } = document;
    if (activeElement === document.body || activeElement?.closest("[hidden]")) {
      frame.current?.focus({ preventScroll: true });
    }
  }, [state, text, path]);

  if (state.is === "waiting") return <FileSkeleton isText />;
  if (state.is === "failed") return <LoadFailed onRetry={() => renderer.want()} />;
  return (
    <div
      className="markdown"
      ref={frame}
      tabIndex={0}
      role="document"
      aria-label={t("preview.rendered")}
      onClick={(event) => {
        const place = placeOf(event.target);
        if (place === null) return;
        event.preventDefault();
        frame.current?.querySelector(`[id="${CSS.escape(place)}"]`)?.scrollIntoView();
      }}
    />
  );
}

/** The place in the document that a click leads to; null when it leads out of it. */
function placeOf(target: EventTarget | null): string | null {
  const link = target instanceof Element ? target.closest("a[href^='#']") : null;
  const href = link?.getAttribute("href");
  return href ? decoded(href.slice(1)) : null;
}
