import { DatabaseSync, type StatementSync } from "node:sqlite";

/** The version of a store: a number that differs after each write. */
export interface StoreVersion {
  /** Null when it can't be told now. */
  read(): number | null;
  /** Called after each commit by this thread. */
  countCommit?(): void;
  close?(): void;
}

/** The version of the store at a location; see `openStore()`. */
export function versionOf(location: string): StoreVersion {
  if (location === ":memory:") return countedVersion();
  // The platform's own store may be written to by other processes, and cannot tell.
  return location === ":default:" ? { read: () => null } : fileVersion(location);
}

/**
 * The version of a store that is a file, whichever thread or process writes to it: SQLite's
 * `data_version`, which costs a few microseconds and no turn of the event loop
 * (https://www.sqlite.org/pragma.html#pragma_data_version). The file is opened when it is first
 * asked for: a command that ends at once never asks.
 */
function fileVersion(path: string): StoreVersion {
  let file: { database: DatabaseSync; question: StatementSync } | undefined;

  function open() {
    const database = new DatabaseSync(path, { readOnly: true });
    const question = database.prepare("PRAGMA data_version");
    // A row as an object takes twice as long, and this is asked for at each request.
    question.setReturnArrays(true);
    return { database, question };
  }

  return {
    read() {
      try {
        file ??= open();
        const row: unknown = file.question.get();
        return Array.isArray(row) ? Number(row[0]) : null;
      } catch {
        // The file is locked for a moment, or its disk fails: reading the store itself will tell.
        return null;
      }
    },
    close: () => file?.database.close(),
  };
}

/** The version of a store in memory, which no other process can write to. */
function countedVersion(): StoreVersion {
  let commits = 0;
  return { read: () => commits, countCommit: () => void commits++ };
}
