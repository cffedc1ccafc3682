import { FolderUp, Upload } from "lucide";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { FileInput } from "../../../../components/FileInput.tsx";
import { formatNumber } from "../../base/core/format.ts";
import { useHydrated, useShared } from "../../base/core/page.ts";
import { type Incoming, readInput, rootsOf } from "../../files_page/drag/dropped.ts";
import { readRoots } from "../../files_page/drag/read_roots.ts";
import { SentFileRow } from "./SentFileRow.tsx";
import { type SendTarget, type SentFile, SentFiles } from "./sent_files.ts";

/** Most rows of the list; the count above it tells of all. */
const mostShown = 200;

interface SendFormProps {
  /** Where files go that are chosen now. */
  target: SendTarget;
  /** The extensions that are taken; none for any. */
  kinds: readonly string[];
  /** The text of how many have arrived. */
  arrivedText: (counts: { done: string; all: string }) => string;
  /** Shown once all have arrived. */
  done?: ReactNode;
}

/** The place to drop files and folders, and the list of what is sent. */
export function SendForm({ target, kinds, arrivedText, done }: SendFormProps) {
  const { t, i18n: { language } } = useTranslation();
  const sent = useShared("sent files", () => new SentFiles());
  const list = sent.list.value;
  const [isOver, setOver] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const hydrated = useHydrated();
  const arrived = list.filter(({ state }) => state === "arrived").length;
  const counts = {
    done: formatNumber(arrived, language),
    all: formatNumber(list.length, language),
  };
  const isSending = list.some(({ state }) => state === "waiting" || state === "sending");
  useEffect(() => {
    if (!isSending) return;
    const warn = (event: Event) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isSending]);

  const send = (chosen: readonly Incoming[]) => {
    // Folders come with their files.
    const named = chosen.filter(({ file, unreadable }) => file !== null || unreadable)
      .map(({ segments, file }) => ({ name: segments.join("/"), file }));
    sent.add(target, named);
  };
  return (
    <>
      <div
        className="request__drop"
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          if (event.dataTransfer) void readRoots(rootsOf(event.dataTransfer)).then(send);
        }}
      >
        <p className="request__hint">{t("request.drop")}</p>
        <div className="request__ways">
          <Button
            variant="primary"
            glyph={Upload}
            disabled={!hydrated}
            onClick={() => files.current?.click()}
          >
            {t("request.chooseFiles")}
          </Button>
          <Button
            className="request__folder"
            glyph={FolderUp}
            disabled={!hydrated}
            onClick={() => folder.current?.click()}
          >
            {t("request.chooseFolder")}
          </Button>
        </div>
        <FileInput
          inputRef={files}
          label={t("request.chooseFiles")}
          accept={kinds.map((kind) => `.${kind}`).join(",") || undefined}
          onChoose={(chosen) => send(readInput(chosen))}
        />
        <FileInput
          folder
          inputRef={folder}
          label={t("request.chooseFolder")}
          onChoose={(chosen) => send(readInput(chosen))}
        />
      </div>
      <p className="request__count" role="status">
        {list.length > 0 && (isSending ? t("request.sending", counts) : arrivedText(counts))}
      </p>
      {list.length > 0 && (
        <ul className="request__list">
          {shownOf(list).map((file) => (
            <SentFileRow
              key={file.id}
              file={file}
              onRetry={() => sent.retry(file.id)}
              onDrop={() => sent.drop(file.id)}
            />
          ))}
        </ul>
      )}
      {list.length > 0 && arrived === list.length && done}
    </>
  );
}

/** The rows of a long list: those that arrived go first. */
function shownOf(list: readonly SentFile[]): readonly SentFile[] {
  if (list.length <= mostShown) return list;
  return list.filter(({ state }) => state !== "arrived").slice(0, mostShown);
}
