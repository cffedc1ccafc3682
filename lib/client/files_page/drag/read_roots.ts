import type { DroppedRoot } from "./dropped.ts";
import type { Incoming } from "./dropped.ts";

/** A folder that contains itself through a link would never end. */
const MAX_DEPTH = 200;

/** Reads dropped files and folders recursively. Unreadable entries are included and marked. */
export async function readRoots(roots: readonly DroppedRoot[]): Promise<Incoming[]> {
  const found: Incoming[] = [];
  for (const { entry, handle } of roots) {
    if (isFile(entry)) found.push({ segments: [entry.name], file: entry });
    else await collect(entry, [], found);
    const last = found.at(-1);
    if (last && (isFile(entry) || entry.isFile)) last.handle = await handle;
  }
  return found;
}

function isFile(root: DroppedRoot["entry"]): root is File {
  return "arrayBuffer" in root;
}

async function collect(
  entry: FileSystemEntry,
  above: readonly string[],
  found: Incoming[],
): Promise<void> {
  const segments = [...above, entry.name];
  try {
    if (entry.isFile) {
      found.push({ segments, file: await fileOf(entry as FileSystemFileEntry) });
      return;
    }
    if (segments.length > MAX_DEPTH) throw new Error("Cannot read the folder: it is too deep");
    found.push({ segments, file: null });
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    // `readEntries` returns about a hundred at a time, and an empty list at the end.
    for (let batch = await next(reader); batch.length > 0; batch = await next(reader)) {
      await collectAll(batch, segments, found);
    }
  } catch {
    found.push({ segments, file: null, unreadable: true });
  }
}

/** The files of a batch at once, then its folders one by one, so that a deep tree stays bounded. */
async function collectAll(
  batch: FileSystemEntry[],
  segments: readonly string[],
  found: Incoming[],
): Promise<void> {
  const files = batch.filter((entry) => entry.isFile);
  await Promise.all(files.map((entry) => collect(entry, segments, found)));
  for (const entry of batch) {
    if (!entry.isFile) await collect(entry, segments, found);
  }
}

function next(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
