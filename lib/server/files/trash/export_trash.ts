import { isoOf } from "../../../shared/time.ts";
import { nameOf, segmentsOf } from "../../../shared/path.ts";
import { openTrash } from "../../core/access/trash_place.ts";
import type { GateSpec } from "../../core/access/viewer.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import { DiskError, type OpenFolder } from "../../core/disk/disk.ts";
import { copyContent } from "../transfer/copy_data.ts";
import type { TrashedEntry, TrashRecords } from "./trash_records.ts";

/** What was written of the trash. */
export interface ExportedTrash {
  entries: ExportedEntry[];
  files: number;
  /** What could not be written, each with the reason. */
  missed: string[];
}

/** An entry of the trash in an export. */
interface ExportedEntry {
  owner: string;
  /** Where it was, below the server's root. */
  path: string;
  /** `replaced`: a previous version of a file. */
  because: "deleted" | "replaced";
  /** When, as RFC 3339 in UTC. */
  at: string;
  /** Where it is in the export. */
  file: string;
}

/**
 * Copies what is in the trash of all users into a folder: deleted entries as
 * `trash/OWNER/TIME/PATH`, previous versions of files as `versions/OWNER/PATH/TIME NAME`. Links stay
 * links.
 *
 * @throws DiskError such as `ENOSPC`
 */
export async function exportTrash(
  spec: GateSpec,
  records: TrashRecords,
  target: OpenFolder,
  ownerOf: (userId: number) => string,
): Promise<ExportedTrash> {
  const exported: ExportedTrash = { entries: [], files: 0, missed: [] };
  for await (const part of records.parts()) {
    for (const entry of part) await exportEntry(spec, entry, target, ownerOf, exported);
  }
  return exported;
}

async function exportEntry(
  spec: GateSpec,
  entry: TrashedEntry,
  target: OpenFolder,
  ownerOf: (userId: number) => string,
  exported: ExportedTrash,
): Promise<void> {
  const owner = ownerOf(entry.userId);
  const name = nameOf(entry.path);
  let trashed: OpenFolder;
  try {
    using trash = openTrash(spec, entry.top, false);
    trashed = trash.folder(entry.id);
  } catch (error) {
    exported.missed.push(`"${entry.path}": ${reasonOf(error)}`);
    return;
  }
  using from = trashed;
  if (from.look(name)?.ino !== entry.ino) {
    exported.missed.push(`"${entry.path}": it is not in the trash`);
    return;
  }
  const folders = foldersOf(entry, owner);
  using to = descend(target, folders);
  const free = freeName(to, entry.isVersion ? `${timeOf(entry)} ${name}` : name);
  await copy({ folder: from, name }, { folder: to, name: free }, exported);
  exported.entries.push({
    ...{ owner, path: entry.path, because: entry.isVersion ? "replaced" : "deleted" },
    ...{ at: isoOf(entry.at), file: [...folders, free].join("/") },
  });
}

function foldersOf(entry: TrashedEntry, owner: string): string[] {
  const path = segmentsOf(entry.path);
  const folder = folderNameOf(owner);
  return entry.isVersion
    ? ["versions", folder, ...path]
    : ["trash", folder, timeOf(entry), ...path.slice(0, -1)];
}

/** A time as a part of a name: colons are none on Windows. */
function timeOf({ at }: TrashedEntry): string {
  return isoOf(at).replaceAll(":", "-");
}

/** A user's name as the name of a folder. */
function folderNameOf(name: string): string {
  return encodeURIComponent(name).replace(/^\.+$/, (dots) => dots.replaceAll(".", "%2E"));
}

/** A name, with a number before it where another entry of the same moment has it. */
function freeName(folder: OpenFolder, name: string): string {
  for (let number = 1;; number++) {
    const numbered = number === 1 ? name : `${number} ${name}`;
    if (folder.look(numbered) === null) return numbered;
  }
}

/** Opens a folder below another, and makes what is missing. The caller closes it. */
function descend(top: OpenFolder, [name, ...rest]: readonly string[]): OpenFolder {
  if (name === undefined) throw new Error("Cannot open no folder");
  if (top.look(name) === null) top.makeFolder(name, 0o700);
  const folder = top.folder(name);
  if (rest.length === 0) return folder;
  using above = folder;
  return descend(above, rest);
}

/** A name in an open folder. */
interface Named {
  folder: OpenFolder;
  name: string;
}

async function copy(from: Named, to: Named, exported: ExportedTrash): Promise<void> {
  const facts = from.folder.look(from.name);
  if (facts?.isDirectory) {
    to.folder.makeFolder(to.name, 0o700);
    using original = from.folder.folder(from.name);
    using folder = to.folder.folder(to.name);
    for (const part of original.entriesInParts()) {
      for (const { name } of part) {
        await copy({ folder: original, name }, { folder, name }, exported);
      }
    }
    folder.setTimes(facts);
  } else if (facts?.isSymlink) {
    to.folder.makeLink(to.name, from.folder.readLink(from.name));
  } else if (facts?.isFile) {
    await copyFile(from, to, exported);
  } else {
    exported.missed.push(`"${to.folder.real}/${to.name}": it is no file, folder or link`);
  }
}

async function copyFile(from: Named, to: Named, exported: ExportedTrash): Promise<void> {
  try {
    using original = from.folder.file(from.name, "read");
    using file = to.folder.file(to.name, "create", 0o600);
    const facts = original.facts();
    await copyContent(original, file, facts, new Pauses());
    file.setTimes(facts);
    exported.files++;
  } catch (error) {
    if (!(error instanceof DiskError && error.code === "EACCES")) throw error;
    exported.missed.push(`"${from.folder.real}/${from.name}": ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof DiskError && error.code === "ENOENT") return "it is not in the trash";
  return error instanceof Error ? error.message : String(error);
}
