import type { FileFacts } from "../../../core/access/folder_handle.ts";
import { isSettled } from "../../../core/disk/facts.ts";
import { LruCache } from "../../../../shared/lru_cache.ts";

/** The CRC-32 of the first bytes of a file. */
export interface Mark {
  /** The number of bytes that it covers. */
  at: number;
  crc: number;
}

/** Maximum number of marks, of all files together. */
const capacity = 100_000;

const none: Mark = { at: 0, crc: 0 };

/**
 * Caches checksums of large files that were sent, whole or in part: the zip directory has those of
 * all files, so that resuming a download would otherwise read them again. Small files are quick to
 * read. An entry is valid for one state of a file.
 */
export class ChecksumCache {
  readonly #marks = new LruCache<string, Mark[]>(capacity, (marks) => marks.length);

  /** Stores the checksum of the first `mark.at` bytes. */
  note(facts: FileFacts, mark: Mark): void {
    if (!isSettled({ mtime: facts.modified, ctime: facts.changed }, Date.now())) return;
    const key = keyOf(facts);
    const marks = this.#marks.get(key) ?? [];
    if (marks.some(({ at }) => at === mark.at)) return;
    this.#marks.set(key, [...marks, mark]);
  }

  /** The longest known beginning of a file within this limit. */
  find(facts: FileFacts, max: number): Mark {
    let found = none;
    for (const mark of this.#marks.get(keyOf(facts)) ?? []) {
      if (mark.at <= max && mark.at > found.at) found = mark;
    }
    return found;
  }
}

function keyOf({ dev, ino, size, modified, changed }: FileFacts): string {
  return `${dev}:${ino}:${size}:${modified}:${changed}`;
}
