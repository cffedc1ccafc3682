import { DiskError, type OpenFolder } from "../../core/disk/disk.ts";
import { type Facts, isSameEntry } from "../../core/disk/facts.ts";
import { DomainError } from "../../../shared/errors.ts";
import { childOf, type EntryPath } from "../../../shared/path.ts";
import type { WriteHandle } from "../../core/access/write_handle.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import { etagOf, ifMatchHolds } from "../content/open_content.ts";
import { Counter, hasMetrics } from "../../core/metrics/metrics.ts";
import type { TemporaryFile } from "./temporary_file.ts";
import type { Access } from "../../core/access/access.ts";
import { freePath } from "./free_path.ts";

const uploads = new Counter("cubby_uploads_total");
const uploadedBytes = new Counter("cubby_uploaded_bytes_total");

/** Keeps files that are about to be replaced. */
export interface FormerFiles {
  /** Whether files are kept at all, as far as their disk can. */
  isOn(): Promise<boolean>;
  /**
   * Keeps a file as it is now.
   *
   * @param folder holds it
   * @param path its own, below the server root
   * @returns null where it cannot be kept
   */
  keep(folder: OpenFolder, path: EntryPath, former: Facts): Promise<FormerFile | null>;
  /** Notes that another file has taken the name of one; absent where that matters to nothing. */
  replaced?(replacement: Replacement): Promise<void>;
}

/** A file in the place of another. */
export interface Replacement {
  /** Its path below the server root. */
  place: EntryPath;
  /** The other one before it was kept. */
  former: Facts;
  /** Whether the other one is kept. */
  isKept: boolean;
  now: Facts;
}

/** A file that is kept. */
export interface FormerFile {
  /** Its id in the trash. */
  id: string;
  /** Whether the file itself is still in its place. */
  isInPlace(): boolean;
  /** Forgets it, as it was not replaced after all. */
  takeBack(): Promise<void>;
}

/** Conditions for taking the name. */
export interface NameOptions {
  /** An existing entry of that name may be replaced. */
  mayReplace: boolean;
  /** The `If-Match` header. */
  ifMatch?: string;
  /** Keeps a file that is replaced. */
  formerFiles?: FormerFiles;
}

/** The name belongs to another entry than the one that was looked at. */
class FormerChanged extends Error {}

/** How often another entry may come in between before the upload gives up. */
const maxChanges = 10;

/**
 * Commits a complete temporary file to its final name atomically, so that every reader sees either
 * the former file or the new one. A free name is taken exclusively: an entry that appears
 * concurrently is not replaced. A file that is replaced is kept first, where that is wanted.
 *
 * @param folder holds the final name
 * @returns the replaced file, if it was kept
 * @throws {DomainError} `exists`, `is_folder`, `precondition_failed`, `forbidden`, `disk_full`,
 * `locked` when others replace the file all the time
 */
export async function commitUpload(
  temporary: TemporaryFile,
  folder: OpenFolder,
  { name, folderBelowRoot }: Pick<WriteHandle, "name" | "folderBelowRoot">,
  options: NameOptions,
  action: string,
): Promise<FormerFile | null> {
  for (let changes = 0; changes < maxChanges; changes++) {
    let kept: FormerFile | null | undefined;
    const place = childOf(folderBelowRoot, name);
    try {
      const seen = folder.look(name);
      let former = seen;
      if (former?.isFile && former.size > 0 && options.mayReplace) {
        kept = await options.formerFiles?.keep(folder, place, former);
        const now = folder.look(name);
        if (!now || !isSameEntry(now, former)) throw new FormerChanged();
        former = now;
      }
      commitName(temporary, folder, name, former, options, action);
      uploads.add();
      if (hasMetrics()) uploadedBytes.add(temporary.facts().size);
      if (seen?.isFile) {
        const replacement = { place, former: seen, isKept: !!kept, now: temporary.facts() };
        await options.formerFiles?.replaced?.(replacement);
      }
      return kept ?? null;
    } catch (error) {
      await kept?.takeBack();
      if (!(error instanceof FormerChanged)) throw asRefusal(error, action);
    }
  }
  throw new DomainError("locked", `${action}: others are replacing it`);
}

function commitName(
  temporary: TemporaryFile,
  folder: OpenFolder,
  name: string,
  former: Facts | null,
  { mayReplace, ifMatch }: NameOptions,
  action: string,
): void {
  if (ifMatch !== undefined && !ifMatchHolds(ifMatch, former?.isFile ? etagOf(former) : null)) {
    throw new DomainError("precondition_failed", `${action}: the file has changed`);
  }
  if (former && !mayReplace) throw new DomainError("exists", `${action}: the name is taken`);
  try {
    temporary.commitName(folder, name, former, action);
  } catch (error) {
    const isTaken = error instanceof DiskError && error.code === "EEXIST" && mayReplace;
    throw isTaken && folder.look(name) ? new FormerChanged() : error;
  }
}

/** How often another entry may take the name in between before the upload gives up. */
const maxRaces = 100;

/**
 * Commits a complete temporary file to the first free name, and makes its folders. An entry that
 * appears there concurrently is never replaced; the next name is tried. Refusals name the wanted
 * path alone: a number would tell a stranger which names are taken.
 *
 * @returns the number of folders that were made
 * @throws {DomainError} `forbidden`, `disk_full`; `exists` when all names are taken
 */
export async function commitFreeName(
  access: Access,
  path: EntryPath,
  temporary: TemporaryFile,
): Promise<number> {
  const action = `Cannot write "${path}"`;
  for (let races = 0; races < maxRaces; races++) {
    // Rules and hidden names apply to each.
    const target = access.create(freePath(access, path));
    let isDone = false;
    try {
      using folder = target.open();
      target.assertInPlace(folder);
      await commitUpload(temporary, folder, target, { mayReplace: false }, action);
      isDone = true;
      await target.sync(folder);
      return target.madeFolders;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (isDone || error.code !== "exists") throw withoutPath(error, target.path, path);
    } finally {
      if (!isDone) target.removeMadeParents();
    }
  }
  throw new DomainError("exists", `${action}: all numbered names are taken`);
}

function withoutPath(error: DomainError, taken: EntryPath, wanted: EntryPath): DomainError {
  const { code, message, retryAfter, details } = error;
  return new DomainError(code, message.replaceAll(taken, wanted), retryAfter, details);
}
