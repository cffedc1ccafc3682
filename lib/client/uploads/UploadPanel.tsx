import { ChevronDown, ChevronUp, RotateCw, X } from "lucide";
import { useState } from "react";
import { IconButton } from "../../../components/Button.tsx";
import { UploadList } from "./UploadList.tsx";
import { formatBytes } from "../core/format.ts";
import { formatLeft } from "../core/format_details.ts";
import { useFiles } from "../navigation/use_files.ts";
import { useTranslation } from "../core/use_translation.ts";

/** The uploads with their progress, in total and one by one; shown while there are any. */
export function UploadPanel() {
  const { t, language } = useTranslation();
  const { uploads } = useFiles();
  const [open, setOpen] = useState(true);
  const { phase, paused, percent, total, done, failed, retriable, rate, left, listed } =
    uploads.now.value;
  if (phase === "idle") return null;

  const busy = phase === "busy";
  const title = paused
    ? t(`uploads.held.${paused}`)
    : busy
    ? t("uploads.title", { count: total - done - failed })
    : failed > 0
    ? t("uploads.failed", { count: failed })
    : t("uploads.done", { count: done });
  const sum = [
    t("uploads.count", { done, total }),
    rate !== null && paused === null &&
    t("uploads.rate", { size: formatBytes(Math.round(rate), language) }),
    left !== null && paused === null && t("uploads.left", { time: formatLeft(left, language) }),
  ].filter(Boolean).join(" · ");

  return (
    <section className="uploads" data-held={paused ?? undefined} aria-label={t("uploads.overall")}>
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
          <IconButton
            label={t(open ? "uploads.collapse" : "uploads.expand")}
            glyph={open ? ChevronDown : ChevronUp}
            aria-expanded={open}
            onClick={() =>
              setOpen(!open)}
          />
          <IconButton
            label={t(busy ? "uploads.cancelAll" : "uploads.close")}
            glyph={X}
            onClick={() =>
              busy ? uploads.queue?.cancelAll() : uploads.queue?.dismiss()}
          />
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
          </>
        )}
      </header>
      {open && listed > 0 && <UploadList />}
    </section>
  );
}

/** Long-running copies, moves and deletions, with their progress and a cancel button. */
export function TaskCards() {
  const { t } = useTranslation();
  const { tasks } = useFiles();
  return (
    <section className="tasks" aria-label={t("tasks.label")}>
      {tasks.shown.value.map(({ id, action, total, done, cancel }) => (
        <div className="task" key={id}>
          <p className="task__title" role="status">{t(`tasks.${action}`, { count: total })}</p>
          <IconButton label={t("buttons.stop")} glyph={X} onClick={cancel} />
          <progress
            className="progress"
            aria-label={t(`tasks.${action}`, { count: total })}
            value={total > 1 ? done : undefined}
            max={total}
          />
        </div>
      ))}
    </section>
  );
}
