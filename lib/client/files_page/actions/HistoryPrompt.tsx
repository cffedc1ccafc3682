import {
  Copy,
  FileArchive,
  FolderInput,
  Hash,
  PackageOpen,
  PencilLine,
  Trash2,
  Upload,
} from "lucide";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { Loading } from "../../../../components/Loading.tsx";
import { Prompt } from "../../../../components/Prompt.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { nameOf, parsePath } from "../../../shared/path.ts";
import type { JobAction, JobInfo } from "../../../shared/schemas/job.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { formatExact, formatRelative } from "../../base/core/format.ts";
import { useApi } from "../../base/core/use_site.ts";
import { useFiles } from "../../base/files/use_files.ts";
import type { PromptBodyProps } from "../../base/prompts/prompts.ts";
import { isOver } from "../../base/files/tasks.ts";
import { JobsApi } from "../../base/api/jobs_api.ts";

const glyphs = {
  copy: Copy,
  move: FolderInput,
  trash: Trash2,
  delete: Trash2,
  upload: Upload,
  archive: FileArchive,
  extract: PackageOpen,
  checksum: Hash,
} satisfies Record<JobAction, unknown>;

/** The last actions of the user, each to be undone as far as it can be. */
export function HistoryPrompt({ onClose }: PromptBodyProps<"history">) {
  const { t } = useTranslation();
  const { calls } = useApi();
  const { actions } = useFiles();
  const [error, setError] = useState<string>();
  const [jobs, setJobs] = useState<readonly JobInfo[] | null>(null);
  const load = async () => {
    const answer = await new JobsApi(calls).list();
    if (answer.ok) setJobs(answer.value.filter(hasDone));
    setError(answer.ok ? undefined : reasonOf(t, answer));
  };
  useEffect(() => void load(), []);
  const undo = async (id: string) => {
    await actions.undoJobs([id]);
    await load();
  };
  return (
    <Prompt
      title={t("history.title")}
      error={jobs === null ? undefined : error}
      onClose={onClose}
      tall
    >
      {jobs === null && <Loading failure={error} onRetry={load} />}
      {jobs?.length === 0 && <p className="history__none">{t("history.none")}</p>}
      <ul className="history">
        {jobs?.map((job) => <HistoryLine key={job.id} job={job} onUndo={() => undo(job.id)} />)}
      </ul>
    </Prompt>
  );
}

/** Whether anything came of a job, be it undone by now. */
function hasDone({ done, failed, undo }: JobInfo): boolean {
  return done > failed || undo !== "nothing";
}

function HistoryLine({ job, onUndo }: { job: JobInfo; onUndo: () => Promise<void> }) {
  const { t, i18n: { language } } = useTranslation();
  const [busy, setBusy] = useState(false);
  const line = useRef<HTMLLIElement>(null);
  const isPressed = useRef(false);
  const { action, state, total, partial = 0, name, to, began, undo } = job;
  const failed = job.failed - partial;
  const isWorking = !isOver(job) && state !== "paused";
  const canUndo = undo !== "nothing" && !isWorking;
  const ending = state === "undone" ? t("history.undone") : t("history.final");
  const standing = isWorking ? t("tasks.label") : ending;
  // The button that had the focus is gone.
  useEffect(() => {
    if (isPressed.current && !canUndo) line.current?.focus();
  }, [canUndo]);
  const what = total > 1 ? t("history.more", { name, more: total - 1 }) : name;
  const newName = newNameOf(job);
  const place = to === null || action === "upload" || newName ? null : folderName(to);
  return (
    <li
      ref={line}
      tabIndex={-1}
      className="history__line"
      data-undone={state === "undone" && !canUndo}
    >
      <Icon glyph={newName ? PencilLine : glyphs[action]} />
      <p className="history__what">
        {!newName && <span className="history__act">{t(`history.${action}`)}</span>}
        <bdi className="history__name">{what}</bdi>
        <small className="history__facts">
          {newName && <bdi>{t("toasts.renamed", { name: newName })}</bdi>}
          {place !== null && <bdi>{t("history.into", { folder: place || t("files.myFiles") })}
          </bdi>}
          {failed > 0 && (
            <span className="history__failed">
              {t("notifications.failed", { amount: failed })}
            </span>
          )}
          {partial > 0 && (
            <span className="history__failed">
              {t("notifications.incomplete", { amount: partial })}
            </span>
          )}
          <time dateTime={began} title={formatExact(began, language)}>
            {formatRelative(began, language, Date.now())}
          </time>
        </small>
      </p>
      {action === "checksum" ? null : canUndo
        ? (
          <Button
            variant="quiet"
            aria-label={t("history.undo", { what })}
            aria-busy={busy}
            aria-disabled={busy}
            onClick={() => {
              if (busy) return;
              isPressed.current = true;
              setBusy(true);
              void onUndo().finally(() => setBusy(false));
            }}
          >
            {t("buttons.undo")}
          </Button>
        )
        : (
          <small className="history__state">
            {standing}
          </small>
        )}
    </li>
  );
}

/** The new name, where an entry was renamed; undefined where it was moved. */
function newNameOf({ action, total, from, to, arrived }: JobInfo): string | undefined {
  return action === "move" && total === 1 && from === to ? arrived[0] : undefined;
}

function folderName(path: string): string {
  return nameOf(parsePath(path).path);
}
