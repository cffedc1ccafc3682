import { ChevronDown, ChevronUp, RotateCw, X } from "lucide";
import { useState } from "react";
import { IconButton } from "./Button.tsx";
import { UploadItem } from "./UploadItem.tsx";
import { formatBytes } from "../lib/client/format.ts";
import { reasonOf } from "../lib/client/reasons.ts";
import type { UploadRow } from "../lib/client/uploads.ts";
import { useFiles } from "../lib/client/use_files.ts";
import { useTranslation } from "../lib/i18n/use_translation.ts";

/** The uploads: how far they are altogether and one by one. It comes and goes with them. */
export function UploadPanel() {
  const { t, language } = useTranslation();
  const { uploads } = useFiles();
  const [open, setOpen] = useState(true);
  const { phase, percent, total, done, failed, rows } = uploads.now.value;
  if (phase === "idle") return null;

  const busy = phase === "busy";
  const title = busy
    ? t("uploads.title", { count: total - done - failed })
    : failed > 0
    ? t("uploads.failed", { count: failed })
    : t("uploads.done", { count: done });
  const figureOf = (row: UploadRow) => {
    if (row.status === "sending") return t("uploads.percent", { percent: row.percent });
    return row.status === "done"
      ? formatBytes(row.size, language)
      : t(`uploads.state.${row.status}`);
  };

  return (
    <section className="uploads" aria-label={t("uploads.overall")}>
      <header className="uploads__head">
        <h2 className="uploads__title" role="status">{title}</h2>
        <div className="uploads__acts">
          {!busy && failed > 1 && (
            <IconButton
              label={t("uploads.retryFailed")}
              glyph={RotateCw}
              onClick={() => uploads.retryFailed()}
            />
          )}
          <IconButton
            label={t(open ? "uploads.collapse" : "uploads.expand")}
            glyph={open ? ChevronDown : ChevronUp}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          />
          <IconButton
            label={t(busy ? "uploads.cancelAll" : "uploads.close")}
            glyph={X}
            onClick={() => busy ? uploads.cancelAll() : uploads.dismiss()}
          />
        </div>
        {busy && (
          <>
            <p className="uploads__sum">
              <span>{t("uploads.count", { done, total })}</span>
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
      {open && rows.length > 0 && (
        <ul className="uploads__list">
          {rows.map((row) => (
            <UploadItem
              key={row.id}
              name={row.name}
              folder={row.isFolder}
              status={row.status}
              percent={row.percent}
              figure={figureOf(row)}
              complaint={row.failure ? reasonOf(t, row.failure) : undefined}
              onCancel={() => uploads.cancel(row.id)}
              onRetry={() => uploads.retry(row.id)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
