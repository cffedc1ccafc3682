import { childOf, type EntryPath } from "../../shared/path.ts";
import type { Api } from "../api/api.ts";

/** Entries per request. */
const WINDOW = 1000;

/** Folders read concurrently. */
const AT_ONCE = 4;

/** The contents of a folder, recursively. */
export interface Measure {
  /** Total size of all files, in bytes. */
  bytes: number;
  files: number;
  folders: number;
  /** Folders that could not be read; their content is missing from the totals. */
  unreadable: number;
}

/**
 * Computes the totals of a folder, recursively, without links.
 *
 * @param names only these entries of the folder itself; all of them when left out
 * @param onProgress called with the totals so far after each answer
 * @returns the totals, incomplete when `signal` was aborted
 */
export async function measureFolder(
  api: Pick<Api, "resource">,
  folder: EntryPath,
  { names, signal, onProgress }: {
    names?: ReadonlySet<string>;
    signal: AbortSignal;
    onProgress: (measure: Measure) => void;
  },
): Promise<Measure> {
  const measure = { bytes: 0, files: 0, folders: 0, unreadable: 0 };
  const waiting: EntryPath[] = [folder];
  const under = new Set<Promise<void>>();

  const read = async (at: EntryPath) => {
    for (let offset = 0;; offset += WINDOW) {
      const answer = await api.resource(at, { offset, limit: WINDOW, signal });
      if (signal.aborted) return;
      if (!answer.ok) return void measure.unreadable++;
      const items = answer.value.items ?? [];
      for (const { name, isDir, isSymlink, size } of items) {
        if (at === folder && names && !names.has(name)) continue;
        if (isDir) measure.folders++;
        else measure.files++;
        if (isDir && !isSymlink) waiting.push(childOf(at, name));
        if (!isDir) measure.bytes += size;
      }
      onProgress({ ...measure });
      const { numDirs = 0, numFiles = 0 } = answer.value;
      if (items.length === 0 || offset + items.length >= numDirs + numFiles) return;
    }
  };

  while (!signal.aborted && (waiting.length > 0 || under.size > 0)) {
    while (waiting.length > 0 && under.size < AT_ONCE) {
      const next = waiting.pop();
      if (next === undefined) break;
      const reading: Promise<void> = read(next).finally(() => under.delete(reading));
      under.add(reading);
    }
    await Promise.race(under);
  }
  await Promise.all(under);
  return measure;
}
