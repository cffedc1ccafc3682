import type { FileFacts } from "../../access/child_file.ts";

/** The CRC-32 of the beginning of a file. */
export interface Mark {
  /** How many bytes it covers. */
  at: number;
  crc: number;
}

/** How many marks are kept, of all files together. */
const capacity = 100_000;

/** A file that changed less than so many milliseconds ago may change again with the same time. */
const settledMs = 2_000;

const none: Mark = { at: 0, crc: 0 };

/**
 * Checksums of large files that were sent, whole or in part: the directory at the end of a zip has
 * those of all files, and who resumes a download should not have to wait until they are read once
 * more. Small ones are read again sooner than it would be worth to remember them. A checksum belongs
 * to one state of a file; for any other it is not found.
 */
export class ChecksumCache {
  /** Least recently noted first. */
  readonly #marks = new Map<string, Mark[]>();
  #size = 0;

  /** Remembers the checksum of the first so many bytes. */
  note(facts: FileFacts, mark: Mark): void {
    if (Date.now() - Math.max(facts.modified, facts.changed) < settledMs) return;
    const key = keyOf(facts);
    const marks = this.#marks.get(key) ?? [];
    if (marks.some(({ at }) => at === mark.at)) return;
    this.#marks.delete(key);
    this.#marks.set(key, [...marks, mark]);
    this.#size++;
    for (const [oldest, { length }] of this.#marks) {
      if (this.#size <= capacity) return;
      this.#marks.delete(oldest);
      this.#size -= length;
    }
  }

  /** The longest known beginning of a file that is no longer than this. */
  find(facts: FileFacts, most: number): Mark {
    let found = none;
    for (const mark of this.#marks.get(keyOf(facts)) ?? []) {
      if (mark.at <= most && mark.at > found.at) found = mark;
    }
    return found;
  }
}

function keyOf({ dev, ino, size, modified, changed }: FileFacts): string {
  return `${dev}:${ino}:${size}:${modified}:${changed}`;
}
