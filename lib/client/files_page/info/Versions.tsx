import { FileDiff, RotateCcw } from "lucide";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { type EntryPath, parsePath } from "../../../shared/path.ts";
import type { TrashItem, TrashPage } from "../../../shared/schemas/trash.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { formatBytes, formatExact } from "../../base/core/format.ts";
import { useApi, useLazy, useToasts } from "../../base/core/use_site.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { Prompt } from "../../../../components/Prompt.tsx";
import { LoadFailed } from "../../../../components/StatusScreen.tsx";
import { Spinner } from "../../../../components/Icon.tsx";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { lazy } from "../../base/core/lazy.ts";

/** How many versions are listed at a time. */
const PAGE = 50;

/** Puts a previous version in place of the present one. @param onRestored called when it is there */
export function useRestoring(onRestored: () => void): (version: TrashItem) => Promise<void> {
  const { t } = useTranslation();
  const { calls } = useApi();
  const { listing } = useFiles();
  const toasts = useToasts();
  return async ({ id }) => {
    const call = { query: { override: true } } as const;
    const answer = await calls.done("POST /api/trash/{id}", { params: { id }, ...call });
    if (!answer.ok) return void toasts.error(reasonOf(t, answer));
    toasts.success(t("toasts.restored", { count: 1 }));
    onRestored();
    await listing.reload();
  };
}

interface VersionsProps {
  file: EntryPath;
  /** Changes with the file. */
  state: string;
  onRestore: (version: TrashItem) => Promise<void>;
  /** Whether a version can be compared with the present one. */
  isComparable: (version: TrashItem) => boolean;
  onCompare: (version: TrashItem) => void;
}

/** The previous versions of a file, each with buttons that compare and restore it. */
export function Versions({ file, state, onRestore, isComparable, onCompare }: VersionsProps) {
  const { t, i18n: { language } } = useTranslation();
  const { calls } = useApi();
  const [{ items, next }, setShown] = useState<TrashPage>({ items: [], next: null });
  const leaving = useRef(new AbortController());
  const wanted = useRef(PAGE);
  const list = useRef<HTMLUListElement>(null);
  /** Where those begin that were asked for last. */
  const [from, setFrom] = useState(0);

  /** Reads as many as are wanted: a change of the file takes none of them away. */
  async function load(): Promise<void> {
    leaving.current.abort();
    leaving.current = new AbortController();
    const { signal } = leaving.current;
    const items: TrashItem[] = [];
    let next: string | undefined;
    do {
      const query = { versions: file, limit: wanted.current - items.length, before: next };
      const answer = await calls.json("GET /api/trash", { query, signal });
      if (!answer.ok) return;
      items.push(...answer.value.items);
      next = answer.value.next ?? undefined;
    } while (next !== undefined && items.length < wanted.current);
    setShown({ items, next: next ?? null });
    setFrom(wanted.current - PAGE);
  }

  function showMore(): void {
    wanted.current += PAGE;
    void load();
  }

  useEffect(() => {
    void load();
    return () => leaving.current.abort();
  }, [file, state]);
  // The button that had the focus is gone with the last of them.
  useEffect(() => {
    if (from > 0) list.current?.children[from]?.querySelector("button")?.focus();
  }, [from]);

  if (items.length === 0) return null;
  return (
    <section aria-labelledby="versions">
      <h3 className="prompt__subtitle" id="versions">{t("info.versions")}</h3>
      <ul ref={list}>
        {items.map((version) => {
          const when = formatExact(version.deleted, language);
          return (
            <li className="info__line" key={version.id}>
              <span className="info__words">
                {t("info.until", { when })}
                <small>{formatBytes(version.size, language)}</small>
              </span>
              {isComparable(version) && (
                <IconButton
                  label={t("info.compareVersion", { when })}
                  glyph={FileDiff}
                  onClick={() => onCompare(version)}
                />
              )}
              <IconButton
                label={t("info.restoreVersion", { when })}
                glyph={RotateCcw}
                onClick={() => void onRestore(version)}
              />
            </li>
          );
        })}
      </ul>
      {next !== null && <Button onClick={showMore}>{t("trash.more")}</Button>}
    </section>
  );
}

const compareView = lazy(() => import("../../screens/editor/CompareView.tsx"), "text");

/** The largest text that is shown, in bytes; of a larger file the server sends no text. */
const LARGEST = 10 * 1024 * 1024;

/** Whether a previous version of a file can be compared with it. */
export function isComparable({ type, size }: Entry, version: TrashItem): boolean {
  const isText = type === "text" || type === "textImmutable";
  return isText && size <= LARGEST && version.size <= LARGEST;
}

interface ComparePromptProps {
  entry: Entry;
  version: TrashItem;
  /** Puts the version in place of the present one. */
  onRestore: () => Promise<void>;
  onClose: () => void;
}

/** A previous version of a text file beside the file as it is now. */
export function ComparePrompt({ entry, version, onRestore, onClose }: ComparePromptProps) {
  const { t, i18n: { language } } = useTranslation();
  const when = formatExact(version.deleted, language);
  const code = useLazy(compareView, true);
  const [busy, setBusy] = useState(false);
  const restore = async () => {
    setBusy(true);
    await onRestore();
    setBusy(false);
  };
  return (
    <Prompt
      title={entry.name}
      text={t("info.comparison", { when })}
      act={t("buttons.restore")}
      busy={busy}
      onAct={() => void restore()}
      onClose={onClose}
      wide
    >
      {compareView.state.value.is === "failed" && (
        <LoadFailed onRetry={() => void compareView.load()} />
      )}
      {compareView.state.value.is === "loading" && <Spinner label={t("files.loading")} />}
      {code && (
        <code.CompareView
          file={parsePath(entry.path).path}
          name={entry.name}
          id={version.id}
          former={t("info.until", { when })}
        />
      )}
    </Prompt>
  );
}
