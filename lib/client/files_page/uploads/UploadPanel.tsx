import { ChevronDown, ChevronUp, RotateCw, Trash2, X } from "lucide";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { InterruptedList, UploadList } from "./UploadList.tsx";
import { formatBytes } from "../../base/core/format.ts";
import { formatLeft } from "../../base/core/format_details.ts";
import { type Files, useFiles } from "../../base/files/use_files.ts";
import { useReturnedFocus } from "../../base/core/focus.ts";
import { useApi, useMay, usePrompts, useToasts } from "../../base/core/use_site.ts";
import { reveal } from "../../base/files/reveal.ts";
import type { Listing } from "../listing/listing.ts";
import type { FinishedUploads } from "./lazy_uploads.ts";
import { emptyTrash, hasTrash } from "../actions/free_room.ts";

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
        <h2 className="uploads__title">
          <span role="status">{title}</span>
        </h2>
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

/** How long new rows are marked, in milliseconds; the same as in uploads.css. */
const MARKED_MS = 4000;

interface FinishedActionsProps {
  finished: FinishedUploads;
}

/** The buttons for uploads that have arrived: show them in their folder, or undo them. */
function FinishedActions({ finished }: FinishedActionsProps) {
  const { t } = useTranslation();
  const files = useFiles();
  const { actions, uploads } = files;
  useNewRows(finished, files.listing);
  return (
    <div className="uploads__ways">
      <Button onClick={() => void showFinished(finished, files)}>{t("uploads.show")}</Button>
      <Button
        variant="quiet"
        onClick={() => {
          uploads.queue?.dismiss();
          void actions.undoJobs([finished.job]);
        }}
      >
        {t("buttons.undo")}
      </Button>
    </div>
  );
}

/** Opens the folder of the uploads, or the first of several, and selects what has arrived. */
async function showFinished({ arrived }: FinishedUploads, files: Files): Promise<void> {
  const { navigation, uploads } = files;
  const [first] = arrived.keys();
  // Not that of the listing, which may be of a folder that the user is leaving.
  const here = navigation.place.peek().path;
  const folder = arrived.has(here) ? here : first;
  if (folder === undefined || !await navigation.guard.mayLeave()) return;
  uploads.queue?.dismiss();
  await reveal(files, folder, [...arrived.get(folder) ?? []]);
}

/** Marks the rows of new entries for a while, as far as they are on screen. */
function useNewRows({ arrived }: FinishedUploads, listing: Listing): void {
  const rows = listing.rows.value;
  const names = arrived.get(listing.path.value);
  useEffect(() => {
    if (!names) return;
    for (const row of document.querySelectorAll<HTMLElement>(".row[data-index]")) {
      const entry = rows.at(Number(row.dataset.index));
      if (!entry || !names.has(entry.name) || marked.has(row)) continue;
      marked.add(row);
      row.dataset.new = "";
      setTimeout(() => delete row.dataset.new, MARKED_MS);
    }
  }, [rows, names]);
}

/** Rows are marked once. */
const marked = new WeakSet<Element>();

interface RoomActionsProps {
  /** Sends again what was refused. */
  onRetry: () => void;
}

/** The way on for uploads that a quota has refused: the trash is emptied, then they are tried again. */
function RoomActions({ onRetry }: RoomActionsProps) {
  const { t } = useTranslation();
  const api = useApi();
  const prompts = usePrompts();
  const toasts = useToasts();
  const may = useMay();
  const retry = useRef<HTMLButtonElement>(null);
  const [trash, setTrash] = useState<"unknown" | "full" | "emptied">("unknown");
  useEffect(() => {
    void hasTrash({ api, may }).then((isFull) => isFull && setTrash("full"));
  }, []);
  // The button that had the focus is gone.
  useEffect(() => {
    if (trash === "emptied") retry.current?.focus();
  }, [trash]);
  const empty = async () => {
    if (await emptyTrash({ api, prompts, toasts, t })) setTrash("emptied");
  };
  if (trash === "unknown") return null;
  return (
    <div className="uploads__ways">
      {trash === "full"
        ? <Button glyph={Trash2} onClick={() => void empty()}>{t("trash.empty")}</Button>
        : (
          <Button variant="primary" buttonRef={retry} onClick={onRetry}>
            {t("buttons.retry")}
          </Button>
        )}
    </div>
  );
}
