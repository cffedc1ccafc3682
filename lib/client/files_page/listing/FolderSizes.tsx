import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Spinner } from "../../../../components/Icon.tsx";
import { readJsonLines } from "../../../shared/json_lines.ts";
import type { NamedSize } from "../../../shared/schemas/size.ts";
import { useApi } from "../../base/core/use_site.ts";
import { wholeChunks } from "../../base/files/rows.ts";
import { useFiles } from "../../base/files/use_files.ts";

/** The most rows of which the folders are asked for at a time. */
const MAX_ROWS = 200;

/** Debounce, so that fast scrolling measures nothing, in milliseconds. */
const REST_MS = 100;

/** How often new sizes are shown, in milliseconds. */
const PACE_MS = 200;

/** How often the sizes in view are asked for again, and rows that are sorted by them are read. */
const AGAIN_MS = 30_000;
const SORT_MS = 2_000;

interface FolderSizesProps {
  /** The rows in view: the first, and the one behind the last. */
  first: number;
  last: number;
}

/**
 * Has the server measure the folders in view, for as long as somebody looks. Sorted by size, all
 * folders are measured, and a note tells how many are still to be counted.
 */
export function FolderSizes({ first, last }: FolderSizesProps) {
  const { t } = useTranslation();
  const { listing } = useFiles();
  const resource = listing.resource.value;
  const rows = listing.rows.value;
  const { from, to } = wholeChunks({ from: first, to: Math.min(last, rows.total) }, MAX_ROWS);
  const names = [...rows.entries({ from, to })]
    .filter(([, { isDir, isSymlink }]) => isDir && !isSymlink)
    .map(([, { name }]) => name);
  const isSorted = resource?.sorting?.by === "size";
  const uncounted = isSorted ? resource?.uncounted ?? 0 : 0;
  useSizes(names, isSorted);
  useUncounted(uncounted);
  if (uncounted === 0) return null;
  return (
    <p className="counting" role="status">
      <Spinner />
      {t("files.counting", { count: uncounted })}
    </p>
  );
}

/** Asks for the sizes of folders: when they come into view or may have changed, and now and then. */
function useSizes(names: readonly string[], isSorted: boolean): void {
  const { listing } = useFiles();
  const measure = useMeasure();
  const resource = listing.resource.value;
  const sortedAt = useRef(0);
  useEffect(() => {
    if (names.length === 0) return;
    let leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      const { signal } = leaving;
      const changed = await measure(names, signal);
      if (signal.aborted) return;
      const now = performance.now();
      if (isSorted && changed > 0 && now - sortedAt.current > SORT_MS) {
        sortedAt.current = now;
        return void listing.reload();
      }
      timer = setTimeout(ask, AGAIN_MS);
    };
    const look = () => {
      leaving.abort();
      clearTimeout(timer);
      if (document.visibilityState !== "visible") return;
      leaving = new AbortController();
      timer = setTimeout(ask, REST_MS);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      clearTimeout(timer);
      leaving.abort();
    };
  }, [resource, names.join("/"), isSorted]);
}

/** Measures folders whose size is not known, wherever they are, and sorts by what was found. */
function useUncounted(count: number): void {
  const { listing } = useFiles();
  const measure = useMeasure();
  useEffect(() => {
    if (count === 0) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const timer = setInterval(() => void listing.reload(), SORT_MS);
    // What cannot be measured stays uncounted, and is not asked for again.
    void measure(undefined, signal).then(() => {
      clearInterval(timer);
      if (!signal.aborted) void listing.reload();
    });
    return () => {
      clearInterval(timer);
      leaving.abort();
    };
  }, [listing.path.value, count]);
}

/** Returns what asks the server for sizes, shows them as they come, and counts those that are new. */
function useMeasure() {
  const { listing } = useFiles();
  const { calls } = useApi();
  return async (names: readonly string[] | undefined, signal: AbortSignal) => {
    const path = listing.path.peek();
    const found = new Map<string, NamedSize>();
    let count = 0;
    const show = () => {
      const known = listing.sizes.peek();
      if (signal.aborted || found.size === 0 || path !== listing.path.peek()) return;
      const changed = [...found].filter(([name, { bytes }]) => known.get(name)?.bytes !== bytes);
      count += changed.length;
      if (changed.length > 0) listing.sizes.value = new Map([...known, ...found]);
      found.clear();
    };
    const timer = setInterval(show, PACE_MS);
    try {
      const answer = await calls.call("POST /api/sizes/{path}", {
        ...{ params: { path }, json: { names: names && [...names] }, signal },
      });
      if (!answer.ok) return count;
      const { body } = answer.value;
      for await (const sizes of body ? readJsonLines<NamedSize>(body) : []) {
        for (const size of sizes) found.set(size.name, size);
      }
    } catch {
      // The connection is gone: what has come is shown, and the rest is asked for later.
    } finally {
      clearInterval(timer);
      show();
    }
    return count;
  };
}
