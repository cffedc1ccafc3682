import { LruCache } from "../../../shared/lru_cache.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Result } from "../../../shared/result.ts";
import type { FolderSize } from "../../../shared/schemas/size.ts";
import { failureOfThrow } from "../../base/api/answer.ts";
import type { Calls } from "../../base/api/calls.ts";

/** The totals of this many folders are kept. */
const MOST_KEPT = 200;

/** For this time a folder that has not changed itself is not measured again, in milliseconds. */
const FRESH_MS = 10_000;

/** The folders to measure. */
export interface Measured {
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
    let rest = "";
    const { body } = answer.value;
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      const line = lines.at(-1);
      if (!line) continue;
      last = JSON.parse(line) as FolderSize;
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
