import { useEffect, useRef } from "react";
import { parsePath } from "../../../shared/path.ts";
import { type LinkedShare, shareLinks } from "./share_links.ts";

/** The props of a shared document; they travel to the browser. */
export interface SharedMarkdownProps {
  text: string;
  /** Its path in the share, the base of its relative links. */
  path: string;
  baseUrl: string;
  share: LinkedShare;
  /** Its pictures are shown by previews, as downloads are counted. */
  isLimited: boolean;
  /** The accessible name. */
  label: string;
}

/** A rendered Markdown document of a share; its source until the renderer is loaded. */
export function SharedMarkdown(
  { text, path, baseUrl, share, isLimited, label }: SharedMarkdownProps,
) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const links = shareLinks(baseUrl, share);
    const context = {
      document: parsePath(path).path,
      pageOf: links.page,
      contentOf: (at: string) =>
        isLimited ? links.preview("big", at, "") : links.download(at, { inline: true }),
    };
    // Without the renderer the source stays.
    void import("../preview/markdown.ts").then(({ renderMarkdown }) => {
      frame.current?.classList.add("markdown");
      frame.current?.replaceChildren(renderMarkdown(text, context));
    }, () => {});
  }, []);
  return (
    <div
      className="shared__document"
      ref={frame}
      tabIndex={0}
      role="document"
      aria-label={label}
    >
      <pre className="shared__text" dir="auto">{text}</pre>
    </div>
  );
}
