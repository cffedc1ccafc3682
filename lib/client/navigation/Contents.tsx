import { useEffect, useRef, useState } from "react";
import type { EntryPath } from "../../shared/path.ts";
import { formatBytes } from "../core/format.ts";
import { type Measure, measureFolder } from "../info/measure.ts";
import { reasonOf } from "../api/reasons.ts";
import type { Target } from "../actions/target.ts";
import { useApi, useToasts } from "../core/use_site.ts";
import { useTranslation } from "../core/use_translation.ts";
import { Button } from "../../../components/Button.tsx";
import { useKeptFocus } from "../ui/use_kept_focus.ts";

interface ContentsProps {
  folder: EntryPath;
  /** Only these entries of the folder: the way to their names. */
  names?: Target["names"];
}

/** How much is in folders, all the way down: added up when it is asked for. */
export function Contents({ folder, names }: ContentsProps) {
  const { t, language } = useTranslation();
  const api = useApi();
  const toasts = useToasts();
  const [measure, setMeasure] = useState<Measure | null>(null);
  const [running, setRunning] = useState(false);
  const leaving = useRef<AbortController | null>(null);
  const part = useKeptFocus<HTMLDivElement>(running);
  useEffect(() => () => leaving.current?.abort(), []);

  const add = async () => {
    const controller = new AbortController();
    const { signal } = controller;
    leaving.current = controller;
    setRunning(true);
    const wanted = await names?.();
    if (wanted?.ok === false) toasts.error(reasonOf(t, wanted));
    else {
      const chosen = wanted && new Set(wanted.value);
      await measureFolder(api, folder, { names: chosen, signal, onProgress: setMeasure });
    }
    setRunning(false);
    if (signal.aborted) setMeasure(null);
  };

  const size = measure && formatBytes(measure.bytes, language);
  return (
    <div ref={part} className="contents">
      {measure && (
        <span role="status">
          {running
            ? t("info.sofar", { size })
            : measure.unreadable > 0
            ? t("info.atLeast", { size })
            : size}
          {" · "}
          {t("info.countBoth", {
            files: t("files.fileCount", { count: measure.files }),
            folders: t("files.folderCount", { count: measure.folders }),
          })}
        </span>
      )}
      {measure && measure.unreadable > 0 && (
        <span className="field__complaint">
          {t("info.unreadable", { count: measure.unreadable })}
        </span>
      )}
      {running
        ? <Button onClick={() => leaving.current?.abort()}>{t("buttons.cancel")}</Button>
        : !measure && <Button onClick={() => void add()}>{t("buttons.calculate")}</Button>}
    </div>
  );
}
