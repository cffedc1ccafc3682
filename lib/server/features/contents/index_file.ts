import { DatabaseSync, type StatementSync } from "node:sqlite";
import { dirname, join } from "node:path";

/** How long one thread waits for another that writes, in milliseconds. */
const timeoutMs = 5_000;

/** Pause before another attempt where SQLite does not wait, in milliseconds. */
const retryMs = 5;

/** SQLite's own files of an index. */
const companions = ["", "-wal", "-shm", "-journal"];

/** What an index is about. */
export interface IndexLayout {
  /** Begins the sentences of the log about it. */
  name: string;
  /** The version of the tables and of what is in them: a file with another one is thrown away. */
  version: number;
  /** The application's id in SQLite's header. */
  applicationId: number;
  /** The tables beside those that every index has. */
  tables: string;
}

/** The tables of every index: values by name, and the folders that have entries in it. */
const commonTables = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE folders (
    id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, path TEXT NOT NULL UNIQUE
  );
  CREATE INDEX folders_in ON folders (parent);
`;

/**
 * The index of content search ("Cubi"). A file has its facts at the time of reading, its text
 * (deflated), and its words. Ids are never given twice: a holder of one gets that version's text or
 * none.
 */
const contentLayout: IndexLayout = {
  name: "Content search",
  // 2: words are folded.
  version: 2,
  applicationId: 0x43756269,
  tables: `
  CREATE TABLE files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    folder INTEGER NOT NULL,
    name TEXT NOT NULL,
    ino REAL NOT NULL, size REAL NOT NULL, modified REAL NOT NULL, changed REAL NOT NULL,
    length INTEGER NOT NULL,
    UNIQUE (folder, name)
  );
  CREATE TABLE texts (id INTEGER PRIMARY KEY, deflated BLOB NOT NULL);
  CREATE VIRTUAL TABLE words USING fts5(
    text, content='', contentless_delete=1, tokenize='ascii'
  );
`,
};

/** The path of the index, in the cache folder. */
export function indexPath(cacheDir: string): string {
  return join(cacheDir, "contents.db");
}

/** Removes an index with all that SQLite keeps beside it. */
export function removeIndex(path: string): void {
  for (const suffix of companions) {
    try {
      Deno.removeSync(path + suffix);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

/** The bytes on the disk of an index with all that SQLite keeps beside it; 0 without one. */
export function sizeOfIndex(path: string): number {
  return companions.reduce((sum, suffix) => sum + (tryStat(path + suffix)?.size ?? 0), 0);
}

/** An open index: SQLite, for contents with its full-text search. All calls block, so it is for Workers. */
export class IndexFile implements Disposable {
  readonly path: string;
  readonly #layout: IndexLayout;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #ino: number | null;

  /**
   * @param use `write` makes the file where it is missing
   * @throws Error of SQLite, see {@linkcode faultOf}
   */
  constructor(path: string, use: "read" | "write", layout = contentLayout) {
    this.path = path;
    this.#layout = layout;
    if (use === "write") {
      Deno.openSync(path, { write: true, create: true, mode: 0o600 }).close();
    }
    this.#database = new DatabaseSync(path, { readOnly: use === "read" });
    try {
      this.#database.exec(`PRAGMA busy_timeout = ${timeoutMs}; PRAGMA cache_size = -4096`);
      if (use === "write") this.#prepareWriting();
      this.#check();
    } catch (error) {
      this.#database.close();
      throw error;
    }
    this.#ino = tryStat(path)?.ino ?? null;
  }

  /** Whether another index, or none, has taken its path. */
  get isReplaced(): boolean {
    const ino = tryStat(this.path)?.ino ?? null;
    return ino === null || ino !== this.#ino;
  }

  /** A number that changes whenever another connection has written. */
  get dataVersion(): number {
    return Number(this.one("PRAGMA data_version")?.data_version);
  }

  /** Runs a statement that changes something. @returns the id of the row that was added last */
  run(sql: string, ...values: (string | number | null | Uint8Array)[]): number {
    return Number(this.#prepared(sql).run(...values).lastInsertRowid);
  }

  /** The first row of an answer. */
  one(sql: string, ...values: (string | number)[]): Record<string, unknown> | undefined {
    return this.#prepared(sql).get(...values);
  }

  /** The rows of an answer, one by one; statements with the same text must not run at once. */
  each(sql: string, ...values: (string | number)[]): Iterable<Record<string, unknown>> {
    return this.#prepared(sql).iterate(...values);
  }

  /** The rows of an answer that may still be read while others are asked for. */
  eachOwn(sql: string, ...values: (string | number)[]): Iterable<Record<string, unknown>> {
    return this.#database.prepare(sql).iterate(...values);
  }

  /** A value that is kept by its name. */
  read(name: string): string | null {
    const row = this.one("SELECT value FROM meta WHERE name = ?", name);
    return row ? String(row.value) : null;
  }

  /** Keeps a value; null removes it. */
  keep(name: string, value: string | null): void {
    if (value === null) this.run("DELETE FROM meta WHERE name = ?", name);
    else this.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", name, value);
  }

  /** Whether something was begun that is not committed. */
  get isWriting(): boolean {
    return this.#database.isTransaction;
  }

  begin(): void {
    if (!this.#database.isTransaction) this.#database.exec("BEGIN IMMEDIATE");
  }

  commit(): void {
    if (this.#database.isTransaction) this.#database.exec("COMMIT");
  }

  rollBack(): void {
    if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
  }

  [Symbol.dispose](): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepareWriting(): void {
    this.#useWriteAheadLog();
    this.#database.exec("PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 4194304");
    if (this.#hasTables) return;
    this.begin();
    // Another thread may have made them meanwhile.
    if (!this.#hasTables) this.#makeTables();
    this.commit();
  }

  /** SQLite itself does not wait for another thread that does this at the same moment. */
  #useWriteAheadLog(): void {
    const end = performance.now() + timeoutMs;
    const never = new Int32Array(new SharedArrayBuffer(4));
    for (;;) {
      try {
        return this.#database.exec("PRAGMA journal_mode = WAL");
      } catch (error) {
        if (faultOf(error) !== "busy" || performance.now() >= end) throw error;
        Atomics.wait(never, 0, 0, retryMs);
      }
    }
  }

  get #hasTables(): boolean {
    return this.one("SELECT 1 FROM sqlite_master") !== undefined;
  }

  #makeTables(): void {
    const { version, applicationId, tables } = this.#layout;
    this.#database.exec(`
      ${commonTables} ${tables}
      PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version};
    `);
  }

  #check(): void {
    const found = Number(this.one("PRAGMA user_version")?.user_version);
    const id = Number(this.one("PRAGMA application_id")?.application_id);
    const { version, applicationId } = this.#layout;
    if (found !== version || id !== applicationId) throw new Error("file is not a database");
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, statement = this.#database.prepare(sql));
    return statement;
  }
}

/** The meaning of an error of SQLite for the index. */
export type IndexFault = "damaged" | "full" | "busy" | "missing";

/** Sentences of SQLite (sqlite3ErrStr and FTS5), as Deno hands on no number of most errors. */
const faults: [RegExp, IndexFault][] = [
  [/not a database|malformed|corrupt|no such (table|column)|missing row/i, "damaged"],
  [/disk is full|disk I\/O error|quota|No space left|readonly database/i, "full"],
  [/locked|busy/i, "busy"],
  [/unable to open/i, "missing"],
];

/** The meaning of an error of SQLite; null for errors of other kinds. */
export function faultOf(error: unknown): IndexFault | null {
  if (!(error instanceof Error)) return null;
  const isSqlite = "code" in error && error.code === "ERR_SQLITE_ERROR" ||
    error.message === "file is not a database";
  if (!isSqlite && !(error instanceof Deno.errors.NotFound)) {
    return /os error (28|122)\b/.test(error.message) ? "full" : null;
  }
  return faults.find(([words]) => words.test(error.message))?.[1] ??
    (error instanceof Deno.errors.NotFound ? "missing" : null);
}

/**
 * Opens an index for writing; a damaged one, or one of another version, is thrown away first.
 *
 * @param note logs a sentence
 * @throws Error of SQLite
 */
export function openForWriting(
  path: string,
  note: (sentence: string) => void,
  layout = contentLayout,
): IndexFile {
  Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    return new IndexFile(path, "write", layout);
  } catch (error) {
    if (faultOf(error) !== "damaged") throw error;
    note(`${layout.name}: the index was damaged; rebuilding it`);
    removeIndex(path);
    return new IndexFile(path, "write", layout);
  }
}

/**
 * The lock of the thread that keeps an index: the system drops it when the process dies. Null while
 * another has it.
 */
export function lockFor(path: string): Disposable | null {
  Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = Deno.openSync(`${path}.lock`, { write: true, create: true, mode: 0o600 });
  if (file.tryLockSync(true)) return file;
  file.close();
  return null;
}

function tryStat(path: string): Deno.FileInfo | null {
  try {
    return Deno.statSync(path);
  } catch {
    return null;
  }
}
