import type { OpenFile } from "../../disk/disk.ts";
import { tryTo } from "../../disk/disk_error.ts";
import { unknownFacts } from "../../disk/facts.ts";
import { copyContent } from "../../files/transfer/copy_content.ts";
import { fileBits } from "../../files/transfer/copy_metadata.ts";
import type { GrowthMeter } from "../../files/transfer/growth.ts";
import type { Pauses } from "../../concurrency/pauses.ts";
import {
  type ArchivedEntry,
  brokenArchiveError,
  unsafeArchiveError,
  unsupportedArchiveError,
} from "./archived_entry.ts";
import type { ChosenEntries } from "./chosen_entries.ts";
import type { Limits } from "./limits.ts";
import type { StagedTree } from "./staged_tree.ts";

/** How much may come out of an archive, and into the scope. */
interface Bounds {
  limits: Limits;
  growth: GrowthMeter;
}

/**
 * Writes the entries of an archive into a new tree. Links are left out, as they are of archives
 * that are made: one could lead anywhere.
 *
 * @param chosen the entries to write, and where
 * @param bounds how much may come out, of the archive and into the scope
 * @throws {DomainError} `unsafe_archive` for paths that lead out, twice the same name, and devices;
 * `broken_archive`, `archive_too_large`, `disk_full`, `over_quota`, `forbidden`, `invalid_name`
 */
export async function unpack(
  entries: AsyncIterable<ArchivedEntry>,
  chosen: ChosenEntries,
  tree: StagedTree,
  bounds: Bounds,
  pauses: Pauses,
): Promise<void> {
  const { limits, growth } = bounds;
  for await (const entry of entries) {
    const { kind, size, path, modified } = entry;
    const names = chosen.place(path);
    limits.add(kind === "file" && names ? size : 0);
    if (!names) {
      if (pauses.isDue) await pauses.pause();
      continue;
    }
    if (kind === "other") throw unsafeArchiveError(`"${path}" is a device or a pipe`);
    await growth.expect({ bytes: limits.announced, files: 0 });
    if (kind === "copy") await copy(entry, names, chosen, tree, bounds, pauses);
    else if (kind === "folder") tree.addFolder(names, modified);
    else if (kind === "file") {
      await growth.add(size, 1);
      using file = tree.addFile(names);
      await write(entry, file);
      setMode(file, entry.mode);
    }
    await growth.add(0, tree.takeMadeFolders());
    if (pauses.isDue) await pauses.pause();
  }
  await tree.finish(pauses);
}

/** Copies the content of an entry before it: the files are not one, as those of links are. */
async function copy(
  { path, original = "", modified, mode }: ArchivedEntry,
  names: readonly string[],
  chosen: ChosenEntries,
  tree: StagedTree,
  { limits, growth }: Bounds,
  pauses: Pauses,
): Promise<void> {
  const from = chosen.place(original);
  if (!from) {
    throw unsupportedArchiveError(
      `"${path}" has the content of "${original}", which is not selected`,
    );
  }
  using source = tree.openFile(from);
  const facts = source.facts();
  limits.addBytes(facts.size);
  await growth.add(facts.size, 1);
  using file = tree.addFile(names);
  await copyContent(source, file, facts, pauses);
  setModified(file, modified);
  setMode(file, mode ?? facts.mode);
}

async function write({ path, size, modified, content }: ArchivedEntry, file: OpenFile) {
  let written = 0;
  for await (const part of content()) {
    if (written + part.length > size) throw brokenArchiveError(`"${path}" is larger than declared`);
    file.write(part, written);
    written += part.length;
  }
  if (written < size) throw brokenArchiveError(`"${path}" is smaller than declared`);
  setModified(file, modified);
}

/**
 * Lets those execute a file who may read it here and might execute it in the archive, and keeps one
 * private that was its owner's alone. No other bit of an archive counts: set-uid least of all.
 */
function setMode(file: OpenFile, archived: number | null | undefined): void {
  const own = file.facts().mode;
  const isKnown = own !== null && archived !== null && archived !== undefined &&
    (archived & ownerRead) !== 0;
  if (!isKnown) return;
  const isPrivate = (archived & othersBits) === 0;
  const readable = isPrivate ? own & ~othersBits : own;
  const mode = (readable & fileBits) | (archived & executeBits & (readable >> 2));
  if (mode !== (own & fileBits)) tryTo(() => file.setMode(mode));
}

const ownerRead = 0o400;
const othersBits = 0o077;
const executeBits = 0o111;

function setModified(file: OpenFile, modified: number | null): void {
  if (modified === null) return;
  const times = { ...unknownFacts("file"), atime: new Date(), mtime: new Date(modified) };
  tryTo(() => file.setTimes(times));
}
