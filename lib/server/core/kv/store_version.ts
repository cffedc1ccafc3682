import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { ReadState } from "./read_cache.ts";
import type { RecordedRead } from "./recorded_reads.ts";

/** The state of a store, as the cache of what was read asks for it. */
export interface StoreVersion extends ReadState {
  /** Called after each commit by this thread. */
  countCommit?(): void;
  close?(): void;
}

/** The version of the store at a location; see `openStore()`. */
export function versionOf(location: string): StoreVersion {
  if (location === ":memory:") return countedVersion();
  // The platform's own store may be written to by other processes, and cannot tell.
  return location === ":default:" ? { version: () => null } : fileVersion(location);
}

/**
 * The version of a store that is a file, whichever thread or process writes to it: SQLite's
 * `data_version`, which costs a few microseconds and no turn of the event loop
 * (https://www.sqlite.org/pragma.html#pragma_data_version). The file is opened when it is first
 * asked for: a command that ends at once never asks.
 */
function fileVersion(path: string): StoreVersion {
  let file: OpenFile | undefined;
  return {
    version() {
      try {
        file ??= openFile(path);
        const row: unknown = file.question.get();
        return Array.isArray(row) ? Number(row[0]) : null;
      } catch {
        // The file is locked for a moment, or its disk fails: reading the store itself will tell.
        return null;
      }
    },
    isUnchanged(reads) {
      try {
        return file?.compares?.(reads) ?? false;
      } catch {
        return false;
      }
    },
    close: () => file?.database.close(),
  };
}

interface OpenFile {
  database: DatabaseSync;
  question: StatementSync;
  /** Undefined when the tables are not those that are expected: another version of Deno. */
  compares?(reads: readonly RecordedRead[]): boolean;
}

function openFile(path: string): OpenFile {
  const database = new DatabaseSync(path, { readOnly: true });
  // A row as an object takes twice as long, and these are asked for at each request.
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  const question = prepare("PRAGMA data_version");
  try {
    const one = prepare("SELECT version FROM kv WHERE k = ?");
    const range = prepare("SELECT count(*), max(version) FROM kv WHERE k >= ? AND k < ?");
    const isSame = ({ from, before, count, newest }: RecordedRead): boolean => {
      const row: unknown = before === null ? one.get(from) : range.get(from, before);
      if (!Array.isArray(row)) return count === 0;
      return before === null ? newest === row[0] : count === row[0] && newest === (row[1] ?? 0);
    };
    return { database, question, compares: (reads) => reads.every(isSame) };
  } catch {
    return { database, question };
  }
}

/** The version of a store in memory, which no other process can write to. */
function countedVersion(): StoreVersion {
  let commits = 0;
  return { version: () => commits, countCommit: () => void commits++ };
}
