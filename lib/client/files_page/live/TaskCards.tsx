import { useState } from "react";
import { Pause, Play, X } from "lucide";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../components/Button.tsx";
import type { JobInfo } from "../../../shared/schemas/job.ts";
import { JobsApi } from "../../base/api/jobs_api.ts";
import { formatBytes } from "../../base/core/format.ts";
import { useApi, useToasts } from "../../base/core/use_site.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { useFiles } from "../../base/files/use_files.ts";

/** The user's jobs that take their time, with their progress, to be paused and cancelled. */
export function TaskCards() {
  const { t } = useTranslation();
  const { tasks } = useFiles();
  return (
    <section className="tasks" aria-label={t("tasks.label")}>
      {tasks.shown.value.map((job) => <TaskCard key={job.id} job={job} />)}
    </section>
  );
}

function TaskCard({ job }: { job: JobInfo }) {
  const { t, i18n: { language } } = useTranslation();
  const { calls } = useApi();
  const { tasks } = useFiles();
  const toasts = useToasts();
  const [busy, setBusy] = useState(false);
  const { id, action, state, total, done, partial = 0, progress, name } = job;
  const failed = job.failed - partial;
  const faults = [
    failed > 0 && t("notifications.failed", { amount: failed }),
    partial > 0 && t("notifications.incomplete", { amount: partial }),
  ].filter(Boolean).join(" · ");
  const isUndoing = state === "undoing";
  const isAtRest = state === "paused" || state === "queued";
  const title = isUndoing
    ? t("tasks.undo")
    : action === "trash" || action === "upload"
    ? t("tasks.trash", { count: total })
    : action === "archive" || action === "extract" || action === "checksum"
    ? t(`tasks.${action}`, { name })
    : t(`tasks.${action}`, { count: total });
  // One entry is as far as what is in it.
  const inside = progress.size > 0
    ? { value: progress.bytes, max: progress.size }
    : { value: progress.total > 1 ? progress.entries : undefined, max: progress.total };
  const share = total > 1 || isUndoing ? { value: done, max: total } : inside;
  const facts = [
    state === "paused" && t("tasks.paused"),
    state === "queued" && t("uploads.state.waiting"),
    (total > 1 || progress.size === 0) && share.max > 1 &&
    t("uploads.count", { done: share.value ?? 0, total: share.max }),
    !isUndoing && progress.bytes > 0 && formatBytes(progress.bytes, language),
  ].filter(Boolean).join(" · ");
  const change = async (to: "paused" | "running" | "cancelled") => {
    if (busy) return;
    setBusy(true);
    const answer = await new JobsApi(calls).change(id, to);
    setBusy(false);
    if (answer.ok) tasks.put(answer.value);
    // It ended at the same time, or elsewhere.
    else if (answer.code === "precondition_failed" || answer.code === "not_found") tasks.remove(id);
    else toasts.error(reasonOf(t, answer));
  };
  return (
    <div className="task" role="group" aria-label={title} aria-busy={busy}>
      <p className="task__title" role="status">{title}</p>
      {!isUndoing && (
        <div className="task__acts">
          {state === "paused"
            ? (
              <IconButton
                label={t("buttons.resume")}
                glyph={Play}
                onClick={() => void change("running")}
              />
            )
            : (
              <IconButton
                label={t("buttons.pause")}
                glyph={Pause}
                onClick={() => void change("paused")}
              />
            )}
          <IconButton
            label={t("buttons.stop")}
            glyph={X}
            onClick={() => void change("cancelled")}
          />
        </div>
      )}
      <progress
        className="progress"
        aria-label={title}
        value={share.value ?? (isAtRest ? 0 : undefined)}
        max={share.max > 0 ? share.max : undefined}
      />
      {(facts || faults) && (
        <p className="task__facts">
          {facts}
          {facts && faults && " · "}
          {faults && <span className="task__failed">{faults}</span>}
        </p>
      )}
    </div>
  );
}
