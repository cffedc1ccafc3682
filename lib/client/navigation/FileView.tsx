import { useEffect } from "react";
import { FilePage } from "./FilePage.tsx";
import { FileSkeleton } from "./FileSkeleton.tsx";
import { LoadFailed } from "../listing/LoadFailed.tsx";
import type { Resource } from "../../shared/api_types.ts";
import { LatePart } from "../core/late_part.ts";
import { usePage } from "../core/page.ts";
import type { Clock } from "../core/use_clock.ts";

const editor = new LatePart(() => import("../editor/late.ts"));
const preview = new LatePart(() => import("../preview/late.ts"));

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
  const late = isText ? editor : preview;
  const textEditor = editor.now.value;
  const viewer = preview.now.value;
  useEffect(() => late.want(), [late]);

  if (isText && textEditor.is === "ready") {
    return <textEditor.part.EditorView entry={entry} clock={clock} />;
  }
  if (!isText && viewer.is === "ready") return <viewer.part.Preview entry={entry} clock={clock} />;
  if (late.now.value.is === "failed") return <LoadFailed onRetry={() => late.want()} />;
  if (files?.path === entry.path) {
    return (
      <div className={isText ? "first-look" : "first-look first-look--dark"}>
        <FilePage entry={entry} clock={clock} />
      </div>
    );
  }
  return <FileSkeleton isText={isText} />;
}
