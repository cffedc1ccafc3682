import type { Access } from "../../core/access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { type Facts, isSameEntry } from "../../core/disk/facts.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";
import type { WindowSource } from "./describe_window.ts";
import { FactsTable } from "./facts_table.ts";
import { chunkSize, NameTable, type SentNames } from "./name_table.ts";

/** Entries whose facts another thread reads at a time: their names are few megabytes. */
const portion = 16 * chunkSize;

/** Entries examined between two pauses. */
const stride = 512;

/** Entries of a folder as they are sent to another thread, which reads their facts. */
export interface SentEntries {
  path: EntryPath;
  /** The folder whose names these are. */
  entry: Pick<Facts, "ino" | "dev">;
  names: SentNames;
  /** 1 for each name whose facts are wanted. */
  isWanted: Uint8Array<ArrayBuffer>;
}

/**
 * Has another thread read facts: the bytes of a {@link FactsTable}.
 *
 * @returns null if no thread is ready, or, later, if the folder has changed meanwhile
 */
export type ReadElsewhere = (
  entries: SentEntries,
) => Promise<Uint8Array<ArrayBuffer> | null> | null;

/**
 * Reads the facts of entries in the order of the disk, which takes a quarter of the time where the
 * folder is huge. Those that have vanished have none. Another thread begins at the end, until both
 * meet.
 */
export async function readFacts(
  source: WindowSource,
  numbers: readonly number[],
  pauses: Pauses,
): Promise<FactsTable> {
  const { folder, open, names, readElsewhere } = source;
  const facts = new FactsTable(names.count);
  const isWanted = new Uint8Array(names.count);
  for (const number of numbers) isWanted[number] = 1;
  const { ino, dev } = open.facts();
  const entry = { ino, dev };
  let next = 0;
  /** From here on, entries are read elsewhere. */
  let end = names.count;

  /** Has one portion after the other read elsewhere. @returns whether all could be; null for none */
  function readTheirs(): Promise<boolean> | null {
    const begin = Math.floor((end - 1) / portion) * portion;
    const sent = begin > next ? names.sentPart(begin, end) : null;
    if (!sent) return null;
    const wanted = isWanted.slice(begin, end);
    const entries = { path: folder.path, entry, names: sent, isWanted: wanted };
    const reading = readElsewhere?.(entries);
    if (!reading) return null;
    end = begin;
    return reading.catch(() => null).then((bytes) => {
      if (!bytes) return false;
      facts.setAll(begin, new FactsTable(wanted.length, bytes));
      return readTheirs() ?? true;
    });
  }

  let theirs: Promise<boolean> | null = null;
  while (next < end) {
    for (const to = Math.min(next + stride, end); next < to; next++) {
      const info = isWanted[next] ? folder.stat(names.child(next), open) : null;
      if (info) facts.set(next, info);
    }
    if (!pauses.isDue) continue;
    await pauses.pause();
    theirs ??= readTheirs();
  }
  const isComplete = await theirs ?? true;
  return isComplete
    ? facts
    : await readFacts({ ...source, readElsewhere: undefined }, numbers, pauses);
}

/**
 * Reads the facts of entries for the thread that lists their folder, as {@linkcode ReadElsewhere}.
 *
 * @throws {DomainError} `forbidden`, `not_found`
 */
export async function readSentEntries(
  access: Access,
  { path, entry, names, isWanted }: SentEntries,
  pauses: Pauses,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const folder = access.folder(path);
  using open = folder.open();
  if (!isSameEntry(open.facts(), entry)) return null;
  const source = { folder, open, names: NameTable.received(names), shared: new Set<string>() };
  const numbers = [...isWanted.keys()].filter((number) => isWanted[number]);
  return (await readFacts(source, numbers, pauses)).bytes;
}
