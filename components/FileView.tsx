import { useEffect } from "react";
import { FilePage } from "./FilePage.tsx";
import { FileSkeleton } from "./FileSkeleton.tsx";
import { LoadFailed } from "./LoadFailed.tsx";
import type { Resource } from "../lib/api_types.ts";
import { lazy } from "../lib/client/lazy.ts";
import { usePage } from "../lib/client/page.ts";
import type { Clock } from "../lib/client/use_clock.ts";

const editor = lazy(() => import("./editor/EditorView.tsx"));
const preview = lazy(() => import("./preview/Preview.tsx"));

interface FileViewProps {
  /** The file; text has its `content`, unless the user may not have it. */
  entry: Resource;
  /** The server's clock, for the first rendering. */
  clock: Clock;
}

/**
 * One file: text in the editor, everything else in the preview. Both are loaded when they are first
 * wanted. What the server renders of a file, its facts and links, stays until then.
 */
export function FileView({ entry, clock }: FileViewProps) {
  const { files } = usePage().data;
  const isText = entry.type === "text" || entry.type === "textImmutable";
  const code = isText ? editor : preview;
  const textEditor = editor.state.value;
  const viewer = preview.state.value;
  useEffect(() => void code.load(), [code]);

  if (isText && textEditor.is === "ready") {
    return <textEditor.value.EditorView entry={entry} clock={clock} />;
  }
  if (!isText && viewer.is === "ready") return <viewer.value.Preview entry={entry} clock={clock} />;
  if (code.state.value.is === "failed") return <LoadFailed onRetry={() => void code.load()} />;
  if (files?.path === entry.path) {
    return (
      <div className={isText ? "first-look" : "first-look first-look--dark"}>
        <FilePage entry={entry} clock={clock} />
      </div>
    );
  }
  return <FileSkeleton isText={isText} />;
}
