import type { Arrival } from "../../access/arrival.ts";
import type { Child, FolderHandle } from "../../access/folder_handle.ts";
import { lstatIfThere } from "../../access/lstat.ts";
import { nameOf } from "../../access/path.ts";
import { realChild } from "../../access/real_path.ts";
import { DomainError } from "../../errors.ts";
import type { Steps } from "../steps.ts";
import { makeSureGone } from "./gone.ts";
import type { Taken } from "./taken.ts";

/** A file that is to be copied. */
export interface SurveyedFile {
  name: string;
  /** A file at the destination has the name. */
  replaces: boolean;
  /** What was copied; null until then, and for a file that was gone by then. */
  taken: Taken | null;
}

/** A link that is to be copied, and what it says. */
export interface SurveyedLink {
  name: string;
  text: string;
  /** A link that says the same is at the destination: it stays. */
  isThere: boolean;
}

/** A folder of which all that is below may be known, and what it holds. */
export interface SurveyedFolder {
  name: string;
  folder: FolderHandle;
  files: SurveyedFile[];
  links: SurveyedLink[];
  folders: SurveyedFolder[];
  /** The folder at the destination that takes in what this one holds; null when it is made new. */
  into: Arrival | null;
}

/** Entries looked at between two rests. */
const stride = 512;

/**
 * Looks through all that is below a folder before anything is done.
 *
 * @param isOpened whether each file will be opened: then there must be nothing but files, folders
 * and links, all with names that a path can have
 * @throws {DomainError} `forbidden` for an entry that the viewer may not know of, at any depth;
 * `not_a_file` for a pipe, socket or device; `invalid_name`
 */
export function* survey(
  folder: FolderHandle,
  isOpened: boolean,
  action: string,
): Steps<SurveyedFolder> {
  const { children, denied, unnameable } = folder.read();
  if (denied > 0) {
    throw new DomainError("forbidden", `${action}: something below it is out of reach`);
  }
  if (unnameable > 0 && isOpened) {
    throw new DomainError("invalid_name", `${action}: a name below it is not UTF-8`);
  }
  yield;
  const surveyed: SurveyedFolder = {
    name: nameOf(folder.path),
    folder,
    files: [],
    links: [],
    folders: [],
    into: null,
  };
  for (const [index, child] of children.entries()) {
    if (index % stride === stride - 1) yield;
    if (child.target) addLink(surveyed, child);
    else if (child.isFolder) yield* addFolder(surveyed, child, isOpened, action);
    else addFile(surveyed, child, isOpened, action);
  }
  return surveyed;
}

/** How many files there are in a folder, at any depth. */
export function countFiles({ files, folders }: SurveyedFolder): number {
  return folders.reduce((sum, folder) => sum + countFiles(folder), files.length);
}

function addLink({ folder, links }: SurveyedFolder, { name }: Child): void {
  links.push({ name, text: Deno.readLinkSync(realChild(folder.real, name)), isThere: false });
}

function* addFolder(
  { folder, folders }: SurveyedFolder,
  child: Child,
  isOpened: boolean,
  action: string,
): Steps<void> {
  const below = folder.enter(child);
  if (!below) return makeSureGone(folder, child.name, action);
  try {
    folders.push(yield* survey(below, isOpened, action));
  } catch (error) {
    if (lstatIfThere(below.real)) throw error;
    makeSureGone(folder, child.name, action);
  }
}

function addFile(
  { folder, files }: SurveyedFolder,
  child: Child,
  isOpened: boolean,
  action: string,
): void {
  const { name } = child;
  const info = isOpened ? folder.stat(child) : null;
  if (info && !info.isFile) {
    throw new DomainError("not_a_file", `${action}: "${name}" in it is not a regular file`);
  }
  files.push({ name, replaces: false, taken: null });
}
