import { ChevronDown, ChevronUp, RotateCw, X } from "lucide";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { FinishedActions } from "./FinishedActions.tsx";
import { InterruptedList } from "./InterruptedList.tsx";
import { RoomActions } from "./RoomActions.tsx";
import { UploadList } from "./UploadList.tsx";
import { formatBytes } from "../../base/core/format.ts";
import { formatLeft } from "../../base/core/format_details.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { useReturnedFocus } from "../../base/core/use_returned_focus.ts";
import { useToasts } from "../../base/core/use_site.ts";

/** How often the figures are computed while nothing is reported, in milliseconds. */
const REFRESH_MS = 1000;

/** The uploads, and those of an earlier page; shown while there are any. */
export function UploadPanel() {
  const { uploads } = useFiles();
  const { phase, finished } = uploads.now.value;
  return (
    <>
      {uploads.interrupted.value.length > 0 && <InterruptedList />}
      {(phase !== "idle" || finished) && <ActiveUploads />}
    </>
  );
}

/** The uploads with their progress, in total and one by one. */
function ActiveUploads() {
  const { t, i18n: { language } } = useTranslation();
  const { uploads } = useFiles();
  const toasts = useToasts();
  const [open, setOpen] = useState(true);
  const panel = useRef<HTMLElement>(null);
  useReturnedFocus(panel);
  const {
    phase,
    finished,
    paused,
    isStalled,
    percent,
    total,
    done,
    failed,
    retriable,
    overQuota,
    rate,
    left,
    listed,
  } = uploads.now.value;

  const busy = phase === "busy";
  useEffect(() => {
    if (!busy) return;
    const timer = setInterval(() => uploads.queue?.refresh(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [busy]);
  const title = paused
    ? t(`uploads.held.${paused}`)
    : busy
    ? t("uploads.title", { count: total - done - failed })
    : failed > 0
    ? t("uploads.failed", { count: failed })
    : t("toasts.uploaded", { count: finished?.count ?? done });
  const sum = [
    t("uploads.count", { done, total }),
    rate !== null && paused === null &&
    t("uploads.rate", { size: formatBytes(Math.round(rate), language) }),
    isStalled && t("uploads.stalled"),
    left !== null && paused === null && t("uploads.left", { time: formatLeft(left, language) }),
  ].filter(Boolean).join(" · ");

  const cancelAll = () => {
    const cancelled = uploads.queue?.cancelAll();
    if (!cancelled) return;
    toasts.success(t("uploads.cancelled", { count: cancelled.count }), cancelled.resume);
  };

  return (
    <section
      ref={panel}
      className="uploads"
      data-held={paused ?? undefined}
      aria-label={t("uploads.overall")}
    >
      <header className="uploads__head">
        <h2 className="uploads__title" role="status">{title}</h2>
        <div className="uploads__acts">
          {retriable > 1 && (
            <IconButton
              label={t("uploads.retryFailed")}
              glyph={RotateCw}
              onClick={() => uploads.queue?.retryFailed()}
            />
          )}
          {listed > 0 && (
            <IconButton
              label={t(open ? "uploads.collapse" : "uploads.expand")}
              glyph={open ? ChevronDown : ChevronUp}
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            />
          )}
          {!busy && (
            <IconButton
              label={t("uploads.close")}
              glyph={X}
              onClick={() => uploads.queue?.dismiss()}
            />
          )}
        </div>
        {busy && (
          <>
            <p className="uploads__sum">
              <span>{sum}</span>
              <span>{t("uploads.percent", { percent })}</span>
            </p>
            <progress
              className="progress"
              value={percent}
              max={100}
              aria-label={t("uploads.overall")}
            />
            <div className="uploads__ways">
              <Button variant="quiet" onClick={cancelAll}>{t("uploads.cancelAll")}</Button>
            </div>
          </>
        )}
        {overQuota > 0 && <RoomActions onRetry={() => uploads.queue?.retryFailed()} />}
        {finished && <FinishedActions finished={finished} />}
      </header>
      {open && listed > 0 && <UploadList />}
    </section>
  );
}
