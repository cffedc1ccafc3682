import { ArrowDownToLine } from "lucide";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { parsePath } from "../../../shared/path.ts";
import type { Resource } from "../../../shared/schemas/entry.ts";
import { formatBytes } from "../../base/core/format.ts";
import { useApi } from "../../base/core/use_site.ts";
import { FileSkeleton } from "../../files_page/listing/Skeletons.tsx";
import { LargeText, readBytes } from "./large_text.ts";
import type { PreviewSource } from "./preview_source.ts";

interface LargeTextViewProps {
  entry: Resource;
  source: PreviewSource;
  /** Shown for a file that is no text. */
  otherwise: ReactNode;
}

/** A text that is too large for the editor, in parts: its beginning, its end, or what is added. */
export function LargeTextView({ otherwise, ...shown }: LargeTextViewProps) {
  const encoding = useEncoding(shown.entry);
  if (encoding === undefined) return <FileSkeleton isText />;
  return encoding === null ? otherwise : <TextInParts {...shown} encoding={encoding} />;
}

/**
 * The encoding of a text that is too large for the editor, as the server finds it by samples.
 *
 * @returns undefined until it is known; null for what is no text, or can't be read
 */
export function useEncoding({ path, encoding }: Resource): string | null | undefined {
  const api = useApi();
  const [found, setFound] = useState<string | null>();
  useEffect(() => {
    if (encoding !== undefined) return;
    let isOver = false;
    void api.resource(parsePath(path).path, { offset: 0, limit: 1 }).then((answer) => {
      if (!isOver) setFound((answer.ok && answer.value.encoding) || null);
    });
    return () => {
      isOver = true;
    };
  }, [path]);
  return encoding ?? found;
}

interface TextInPartsProps extends Omit<LargeTextViewProps, "otherwise"> {
  encoding: string;
}

function TextInParts({ entry, source, encoding }: TextInPartsProps) {
  const { t, i18n: { language } } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [isFollowed, setFollowed] = useState(false);
  // A file that grows has another source each time, and stays the same text.
  const latest = useRef(source);
  latest.current = source;
  const text = useMemo(() => {
    const read = (from: number, to: number) => readBytes(latest.current.address.peek(), from, to);
    return new LargeText(entry.size, encoding, read);
  }, [entry.path]);
  text.size = entry.size;
  const address = source.address.value;
  useEffect(() => {
    if (text.state.peek() !== "text") void text.showStart();
  }, [text, address]);
  const state = text.state.value;
  useEffect(() => {
    if (state === "failed") void source.failed();
  }, [state]);
  const toEnd = () => {
    const box = scroller.current;
    if (box) box.scrollTop = box.scrollHeight;
  };
  useEffect(() => {
    if (isFollowed) void text.follow().then(toEnd);
  }, [isFollowed, entry.size, entry.modified]);

  if (state !== "text") return <FileSkeleton isText />;
  const { from, to } = text.extent.value;
  const shown = formatBytes(to - from, language);
  const size = formatBytes(entry.size, language);
  const isBusy = text.isBusy.value;
  const jump = async (show: () => Promise<void>, isEnd: boolean) => {
    await show();
    if (isEnd) toEnd();
    else if (scroller.current) scroller.current.scrollTop = 0;
  };
  return (
    <div className="viewer__text">
      <div className="viewer__bar">
        <p>
          {t("preview.largeText")}{" "}
          <span role="status">
            {isFollowed
              ? t("preview.following")
              : t(from === 0 ? "preview.firstPart" : "preview.lastPart", { shown, size })}
          </span>
        </p>
        {from > 0 && (
          <Button
            disabled={isBusy}
            onClick={() => {
              setFollowed(false);
              void jump(() => text.showStart(), false);
            }}
          >
            {t("preview.toStart")}
          </Button>
        )}
        {to < entry.size && (
          <>
            <Button disabled={isBusy} onClick={() => void text.more()}>
              {t("preview.loadMore")}
            </Button>
            <Button disabled={isBusy} onClick={() => void jump(() => text.showEnd(), true)}>
              {t("preview.toEnd")}
            </Button>
          </>
        )}
        <Button
          glyph={ArrowDownToLine}
          aria-pressed={isFollowed}
          onClick={() => {
            setFollowed(!isFollowed);
            if (!isFollowed) void jump(() => text.showEnd(), true);
          }}
        >
          {t("preview.follow")}
        </Button>
      </div>
      <div
        className="viewer__lines"
        ref={scroller}
        role="region"
        tabIndex={0}
        aria-label={entry.name}
        dir="auto"
      >
        <pre>{text.parts.value.map((part, index) => <span key={index}>{part}</span>)}</pre>
      </div>
    </div>
  );
}
