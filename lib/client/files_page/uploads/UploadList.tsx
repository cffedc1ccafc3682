import { CircleAlert, File, Folder, RotateCw, X } from "lucide";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatBytes } from "../../base/core/format.ts";
import { formatLeft } from "../../base/core/format_details.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import type { UploadRow, UploadStatus } from "./upload_job.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { FileInput } from "../../../../components/FileInput.tsx";
import { useToasts } from "../../base/core/use_site.ts";
import { useReturnedFocus } from "../../base/core/focus.ts";

/** The number of rows rendered beyond the view (overscan). */
const OVERSCAN = 4;

/** The list of uploads; only those in view are rendered. */
export function UploadList() {
  const { t, i18n: { language } } = useTranslation();
  const { uploads } = useFiles();
  const { rows, from, listed, isStalled } = uploads.now.value;
  const scroller = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(0);

  const look = () => {
    const list = scroller.current;
    const row = list?.querySelector<HTMLElement>(".upload")?.offsetHeight ?? 0;
    if (!list || row === 0) return;
    setHeight(row);
    const first = Math.floor(list.scrollTop / row) - OVERSCAN;
    const count = Math.ceil(list.clientHeight / row) + 2 * OVERSCAN;
    uploads.queue?.list(Math.max(0, first), Math.max(0, first) + count);
  };
  useEffect(look, []);

  const figureOf = ({ status, percent, left }: UploadRow) => {
    if (status !== "sending") return t(`uploads.state.${status}`);
    const figure = t("uploads.percent", { percent });
    return left === null || isStalled
      ? figure
      : `${figure} · ${t("uploads.left", { time: formatLeft(left, language) })}`;
  };
  const detailOf = ({ status, rate, failure }: UploadRow) => {
    if (failure) return reasonOf(t, failure);
    return status === "sending" && rate !== null && !isStalled
      ? t("uploads.rate", { size: formatBytes(Math.round(rate), language) })
      : undefined;
  };

  return (
    <div className="uploads__list" ref={scroller} onScroll={look}>
      <ul
        style={{
          paddingBlockStart: `${from * height}px`,
          paddingBlockEnd: `${Math.max(0, listed - from - rows.length) * height}px`,
        }}
      >
        {rows.map((row) => (
          <UploadItem
            key={row.id}
            name={row.name}
            path={row.path}
            folder={row.isFolder}
            status={row.status}
            percent={row.percent}
            figure={figureOf(row)}
            detail={detailOf(row)}
            onCancel={() => uploads.queue?.cancel(row.id)}
            onRetry={row.isHopeless ? undefined : () => uploads.queue?.retry(row.id)}
          />
        ))}
      </ul>
    </div>
  );
}

interface UploadItemProps {
  name: string;
  folder: boolean;
  status: UploadStatus;
  /** From 0 to 100. */
  percent: number;
  /** The progress, or the reason for waiting, shown beside the name. */
  figure: string;
  /** The destination, shown as a tooltip. */
  path: string;
  /** The transfer rate, or the reason of the failure. */
  detail?: string;
  onCancel: () => void;
  /** Absent where a retry makes no sense. */
  onRetry?: () => void;
}

/** One upload: its progress, and buttons to cancel or retry it. */
function UploadItem(
  { name, path, folder, status, percent, figure, detail, onCancel, onRetry }: UploadItemProps,
) {
  const { t } = useTranslation();
  const failed = status === "failed";
  return (
    <li className="upload" data-status={status}>
      <span className="upload__sign">
        <Icon glyph={failed ? CircleAlert : folder ? Folder : File} />
      </span>
      <div className="upload__words">
        <p className="upload__line">
          <span className="upload__name" title={path} dir="auto">{name}</span>
          <span className="upload__figure">{figure}</span>
        </p>
        {!failed && <progress className="progress" value={percent} max={100} aria-label={name} />}
        {detail && <p className="upload__detail" title={detail}>{detail}</p>}
      </div>
      <div className="upload__acts">
        {!failed && (
          <IconButton label={t("uploads.cancelOne", { name })} glyph={X} onClick={onCancel} />
        )}
        {failed && onRetry && (
          <IconButton label={t("uploads.retryOne", { name })} glyph={RotateCw} onClick={onRetry} />
        )}
        {failed && (
          <IconButton label={t("uploads.discardOne", { name })} glyph={X} onClick={onCancel} />
        )}
      </div>
    </li>
  );
}

/** The uploads that a reload or a crash of the page has interrupted, and the ways to go on. */
export function InterruptedList() {
  const { t } = useTranslation();
  const { uploads } = useFiles();
  const toasts = useToasts();
  const files = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLElement>(null);
  useReturnedFocus(panel);
  const all = uploads.interrupted.value;
  const interrupted = uploads.queue?.interrupted;

  const take = async (chosen: File[]) => {
    const isAny = await interrupted?.resume(chosen);
    if (chosen.length > 0 && !isAny) toasts.error(t("uploads.noMatch"));
  };

  return (
    <section ref={panel} className="uploads" aria-labelledby="interrupted">
      <header className="uploads__head">
        <h2 className="uploads__title" id="interrupted">
          <span role="status">{t("uploads.interrupted")}</span>
        </h2>
        <IconButton
          label={t("uploads.later")}
          glyph={X}
          onClick={() => interrupted?.postpone()}
        />
        <p className="uploads__text">{t("uploads.interruptedText")}</p>
        <div className="uploads__ways">
          {all.some(({ isReopenable }) => isReopenable) && (
            <Button
              variant="primary"
              onClick={() => void interrupted?.reopen()}
            >
              {t("uploads.continue")}
            </Button>
          )}
          {all.some(({ isReopenable }) => !isReopenable) && (
            <Button
              variant="primary"
              onClick={() => files.current?.click()}
            >
              {t("uploads.chooseAgain")}
            </Button>
          )}
        </div>
        <FileInput
          inputRef={files}
          label={t("uploads.chooseAgain")}
          onChoose={(chosen) => void take(chosen)}
        />
      </header>
      <div className="uploads__list">
        <ul>
          {all.map(({ path, name, percent }) => (
            <li className="upload" key={path} data-status="waiting">
              <span className="upload__sign">
                <Icon glyph={File} />
              </span>
              <div className="upload__words">
                <p className="upload__line">
                  <span className="upload__name" title={path} dir="auto">{name}</span>
                  <span className="upload__figure">{t("uploads.percent", { percent })}</span>
                </p>
                <progress className="progress" value={percent} max={100} aria-label={name} />
              </div>
              <div className="upload__acts">
                <IconButton
                  label={t("uploads.discardOne", { name })}
                  glyph={X}
                  onClick={() =>
                    void interrupted?.discard(path)}
                />
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
