import { X } from "lucide";
import { useFiles } from "../navigation/use_files.ts";
import { useTranslation } from "../core/use_translation.ts";
import { IconButton } from "../../../components/Button.tsx";

/** Copies, moves and deletions that take a while: how far they are, and a way to stop them. */
export function TaskCards() {
  const { t } = useTranslation();
  const { tasks } = useFiles();
  return (
    <section className="tasks" aria-label={t("tasks.label")}>
      {tasks.shown.value.map(({ id, deed, total, done, cancel }) => (
        <div className="task" key={id}>
          <p className="task__title" role="status">{t(`tasks.${deed}`, { count: total })}</p>
          <IconButton label={t("buttons.stop")} glyph={X} onClick={cancel} />
          <progress
            className="progress"
            aria-label={t(`tasks.${deed}`, { count: total })}
            value={total > 1 ? done : undefined}
            max={total}
          />
        </div>
      ))}
    </section>
  );
}
