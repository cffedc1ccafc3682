import { keepLatest } from "../../core/concurrency/collect_garbage.ts";
import type { FolderHandle } from "../../core/access/folder_handle.ts";
import type { OpenFolder } from "../../core/disk/disk.ts";
import { FactsTable } from "./facts_table.ts";
import type { Counts } from "./listing.ts";
import type { NameTable } from "./name_table.ts";
import { type ReadElsewhere, readFacts } from "./read_facts.ts";
import { hasRecordingSize, mayBeRecording, sniffLength, typeOfBytes } from "../content/types.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";

/** Receives the entries of a listing in order. */
export interface EntrySink {
  /**
   * @param entry its number in the table of names
   * @param row of its facts
   * @param isShared the viewer shares it
   */
  add(names: NameTable, entry: number, facts: FactsTable, row: number, isShared: boolean): void;
  /** Receives all entries of the folder in order, before those of the window. */
  inOrder?(source: WindowSource, numbers: readonly number[]): Promise<void>;
  /** Adds JSON of further entries, which another thread has made. */
  append?(pages: readonly Uint8Array<ArrayBuffer>[]): void;
  /** Passes on what it has so far; waits for a reader that is slow. */
  flush?(): Promise<void>;
}

/** Where entries are described from: an open folder and its names. */
export interface WindowSource {
  folder: FolderHandle;
  open: OpenFolder;
  names: NameTable;
  /** The names of the entries that the viewer shares. */
  shared: ReadonlySet<string>;
  /** For a part of the facts of a huge folder. */
  readElsewhere?: ReadElsewhere;
}

/** Entries examined between two pauses. */
const stride = 512;

/** Above this number of entries, their facts are read in the order of the disk. */
const hugeWindow = 100_000;

/**
 * Describes entries in order.
 *
 * @param facts of all entries, if known; they are read otherwise
 * @param sink receives the entries
 * @returns the number of those that have vanished since the names were read
 */
export async function describeWindow(
  source: WindowSource,
  numbers: readonly number[],
  facts: FactsTable | null,
  sink: EntrySink,
  pauses: Pauses,
): Promise<Counts> {
  const { folder, open, names, shared } = source;
  const known = facts ??
    (numbers.length > hugeWindow ? await readFacts(source, numbers, pauses) : null);
  const vanished: Counts = { numDirs: 0, numFiles: 0 };
  const isShared = (entry: number) => shared.size > 0 && shared.has(names.name(entry));
  const found = known ?? new FactsTable(Math.min(stride, numbers.length));
  for (let start = 0; start < numbers.length; start += stride) {
    const part = numbers.slice(start, start + stride);
    // All at once, and then described: the system's data stay in the processor's cache.
    if (!known) part.forEach((entry, row) => found.set(row, folder.stat(names.child(entry), open)));
    for (let index = 0; index < part.length; index++) {
      const entry = part[index] as number;
      const row = known ? entry : index;
      if (found.has(row)) {
        if (isRecording(source, entry, found, row)) found.setVideo(row);
        sink.add(names, entry, found, row, isShared(entry));
      } else vanished[names.child(entry).isFolder ? "numDirs" : "numFiles"]++;
    }
    await sink.flush?.();
    if (pauses.isDue) await pauses.pause();
  }
  keepLatest("window", folder, open, pauses, new FactsTable(0));
  return vanished;
}

/** Whether an entry with the name of a program is a recording by its first bytes, which are read. */
function isRecording(
  { open, names }: WindowSource,
  entry: number,
  facts: FactsTable,
  row: number,
): boolean {
  const size = facts.size(row);
  if (!hasRecordingSize(size) || facts.kind(row) !== "file" || names.isLink(entry)) return false;
  const name = names.name(entry);
  if (!mayBeRecording(name, size)) return false;
  try {
    using file = open.file(name, "read");
    const start = new Uint8Array(sniffLength);
    return typeOfBytes(start.subarray(0, file.read(start, 0))) === "video";
  } catch {
    // Whoever opens it learns why it can't be read.
    return false;
  }
}
