import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Spinner } from "../../../../components/Icon.tsx";
import { readJsonLines } from "../../../shared/json_lines.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { FolderSize } from "../../../shared/schemas/size.ts";
import type { Target } from "../../base/files/target.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { formatBytes, formatNumber } from "../../base/core/format.ts";
import { useShared } from "../../base/core/page.ts";
import { useApi } from "../../base/core/use_site.ts";
import { LruCache } from "../../../shared/lru_cache.ts";
import type { Result } from "../../../shared/result.ts";
import { type Calls, failureOfThrow } from "../../base/api/calls.ts";

/** Debounce, so that moving through rows measures nothing, in milliseconds. */
const REST_MS = 200;

interface FolderTotalsProps {
  folder: EntryPath;
  /** Only these entries of the folder: a function that reads their names. */
  names?: Target["names"];
  /** Changes when what is measured does. */
  state: string;
}

/** The size of folders with everything below them, measured as soon as it is shown. */
export function FolderTotals({ folder, names, state }: FolderTotalsProps) {
  const { t, i18n: { language } } = useTranslation();
  const { size, error } = useTotals({ folder, names, state });
  if (error) return <span className="field__complaint">{error}</span>;
  if (!size) return <span className="totals totals--none" aria-busy="true" />;
  const bytes = size.bytes < 1000
    ? formatBytes(size.bytes, language)
    : `${formatBytes(size.bytes, language)} (${formatNumber(size.bytes, language)})`;
  const { isPartial, unreadable } = size;
  return (
    <span className="totals" aria-busy={isPartial || undefined}>
      <span>
        {isPartial
          ? t("info.sofar", { size: bytes })
          : unreadable > 0
          ? t("info.atLeast", { size: bytes })
          : bytes}
        {isPartial && <Spinner />}
      </span>
      <span>
        {t("info.countBoth", {
          files: t("files.fileCount", { count: size.files }),
          folders: t("files.folderCount", { count: size.folders }),
        })}
      </span>
      {unreadable > 0 && (
        <span className="field__complaint">{t("info.unreadable", { count: unreadable })}</span>
      )}
    </span>
  );
}

function useTotals({ folder, names, state }: FolderTotalsProps) {
  const { t } = useTranslation();
  const { calls } = useApi();
  const known = useShared("folder-sizes", () => new KnownSizes());
  const former = () => names ? null : known.last(folder);
  const [size, setSize] = useState<FolderSize | null>(former);
  const [error, setError] = useState("");

  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const before = former();
    setSize(before);
    setError("");
    if (!names && known.isFresh(folder, state)) return;
    const measure = async () => {
      const wanted = await names?.();
      if (signal.aborted) return;
      if (wanted?.ok === false) return setError(reasonOf(t, wanted));
      const answer = await measureFolder(calls, {
        folder,
        names: wanted?.value,
        signal,
        // Totals that were whole stay until there are new ones.
        onProgress: (size) => before === null && !signal.aborted && setSize(size),
      });
      if (signal.aborted) return;
      if (!answer.ok) return setError(reasonOf(t, answer));
      setSize(answer.value);
      if (!names && !answer.value.isPartial) known.keep(folder, state, answer.value);
    };
    const timer = setTimeout(() => void measure(), REST_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [folder, state]);

  return { size, error };
}

/** The totals of this many folders are kept. */
const MOST_KEPT = 200;

/** For this time a folder that has not changed itself is not measured again, in milliseconds. */
const FRESH_MS = 10_000;

/** The folders to measure. */
interface Measured {
  folder: EntryPath;
  /** Only these entries of the folder, or paths from it on; all of them when left out. */
  names?: readonly string[];
  signal: AbortSignal;
  /** Hears the totals so far. */
  onProgress: (size: FolderSize) => void;
}

/**
 * Measures a folder on the server, with everything below it.
 *
 * @returns the totals; partial ones when the server has given up
 */
export async function measureFolder(
  calls: Pick<Calls, "call">,
  { folder, names, signal, onProgress }: Measured,
): Promise<Result<FolderSize>> {
  const accept = "application/x-ndjson, application/json";
  const answer = names
    ? await calls.call("POST /api/size/{path}", {
      params: { path: folder },
      json: { names },
      accept,
      signal,
    })
    : await calls.call("GET /api/size/{path}", { params: { path: folder }, accept, signal });
  if (!answer.ok) return answer;
  let last: FolderSize | undefined;
  try {
    const { body } = answer.value;
    for await (const sizes of body ? readJsonLines<FolderSize>(body) : []) {
      if (sizes.length === 0) continue;
      last = sizes.at(-1) as FolderSize;
      onProgress(last);
    }
  } catch (error) {
    return failureOfThrow(error);
  }
  return last ? { ok: true, value: last } : failureOfThrow(null);
}

/** The totals of folders that were measured on this page, so that they show at once again. */
export class KnownSizes {
  readonly #kept = new LruCache<string, { size: FolderSize; state: string; at: number }>(MOST_KEPT);
  readonly #now: () => number;

  /** @param now the clock, in milliseconds */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The last totals of a folder. */
  last(folder: EntryPath): FolderSize | null {
    return this.#kept.get(folder)?.size ?? null;
  }

  /** Whether they are as good as measured now. @param state of the folder itself: its time */
  isFresh(folder: EntryPath, state: string): boolean {
    const kept = this.#kept.get(folder);
    return kept?.state === state && this.#now() - kept.at < FRESH_MS;
  }

  /** Keeps totals. */
  keep(folder: EntryPath, state: string, size: FolderSize): void {
    this.#kept.set(folder, { size, state, at: this.#now() });
  }
}
