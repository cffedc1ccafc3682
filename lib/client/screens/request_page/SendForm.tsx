import { Check, FolderUp, RotateCw, Upload, X } from "lucide";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { FileInput } from "../../../../components/FileInput.tsx";
import { formatBytes, formatNumber } from "../../base/core/format.ts";
import { useHydrated, useShared } from "../../base/core/page.ts";
import { type Incoming, readInput, rootsOf } from "../../files_page/drag/dropped.ts";
import { readRoots } from "../../files_page/drag/read_roots.ts";
import { type SendTarget, type SentFile, SentFiles } from "./sent_files.ts";
import { Icon } from "../../../../components/Icon.tsx";
import { reasonOf } from "../../base/api/reasons.ts";
import { declaredPath } from "../../base/api/api_path.ts";
import { useApi } from "../../base/core/use_site.ts";
import { keptVisitorName } from "../../base/core/visitor_name.ts";

/** Most rows of the list; the count above it tells of all. */
const maxShown = 200;

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
  if (list.length <= maxShown) return list;
  return list.filter(({ state }) => state !== "arrived").slice(0, maxShown);
}

interface SentFileRowProps {
  file: SentFile;
  onRetry: () => void;
  onDrop: () => void;
}

/** A file that is refused for itself is refused again. */
const FINAL = ["wrong_content_type", "body_too_large"];

/** One file that is sent: its progress, or what has become of it. */
function SentFileRow({ file, onRetry, onDrop }: SentFileRowProps) {
  const { t, i18n: { language } } = useTranslation();
  const { name, size, sent, state, failure } = file;
  const reason = failure?.code === "wrong_content_type"
    ? t("request.wrongKind")
    : failure?.code === "body_too_large"
    ? t("request.tooLarge")
    : failure?.code === "forbidden"
    ? t("request.noRoom")
    : failure && reasonOf(t, failure);
  return (
    <li className="request__file" data-state={state}>
      <span className="request__name" dir="auto">{name}</span>
      <span className="request__size">{reason ?? formatBytes(size, language)}</span>
      {state === "sending" && (
        <progress className="progress" value={sent} max={Math.max(size, 1)} aria-label={name} />
      )}
      <span className="request__acts">
        {state === "failed" && !FINAL.includes(failure?.code ?? "") && (
          <IconButton label={t("request.retry", { name })} glyph={RotateCw} onClick={onRetry} />
        )}
        {state === "arrived"
          ? (
            <span className="request__check" title={t("request.hasArrived")}>
              <Icon glyph={Check} />
              <span className="unseen">{t("request.hasArrived")}</span>
            </span>
          )
          : <IconButton label={t("request.giveUp", { name })} glyph={X} onClick={onDrop} />}
      </span>
    </li>
  );
}

/** The props of the place to add files. */
export interface AddFilesProps {
  /** The address of the share. */
  hash: string;
  /** In place of the share's password; "" where it has none. */
  token: string;
  /** The folder in the share. */
  path: string;
}

/** The place where recipients and visitors add files to a shared folder. */
export function AddFiles({ hash, token, path }: AddFilesProps) {
  const { t } = useTranslation();
  const { calls } = useApi();
  const proof = { token: token || undefined, name: keptVisitorName() || undefined };
  const target = {
    calls,
    to: declaredPath("POST /api/public/tus/{path}", { path: `/${hash}${path}/` }),
    access: { query: proof, byLink: true },
    sender: "",
  };
  return (
    <section className="request__desk request__desk--small" aria-labelledby="add-files">
      <h2 className="request__title" id="add-files">{t("share.add")}</h2>
      <SendForm
        target={target}
        kinds={[]}
        arrivedText={(counts) => t("share.added", counts)}
        done={
          <Button variant="primary" glyph={RotateCw} onClick={() => location.reload()}>
            {t("share.showAdded")}
          </Button>
        }
      />
    </section>
  );
}
