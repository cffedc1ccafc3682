import { foldName } from "../rules/fold.ts";
import { belowScope, type Bounds, type Locator } from "./locator.ts";
import { lstatIfThere } from "./lstat.ts";
import { asRefusal } from "./os_errors.ts";
import type { EntryPath } from "./path.ts";
import { realChild, type RealPath } from "./real_path.ts";
import { followLink, type LinkTarget } from "./resolve.ts";
import { foldsNames, type Spelling } from "./spelling.ts";

/** An entry of a folder, as far as it is known without asking the disk about each. */
export interface Child {
  name: string;
  /** A folder, or a link to one. */
  isFolder: boolean;
  /** Where it leads, when it is a link; never out of the bounds. */
  target: Exclude<LinkTarget, { kind: "outside" }> | null;
}

/** Where a folder was found. */
export interface FolderPlace {
  locator: Locator;
  path: EntryPath;
  real: RealPath;
  bounds: Bounds;
}

/** What decides about the entries of one folder. */
export interface FolderSight {
  /** Whether the viewer may know of a name; what a link leads to is not looked at. */
  sees: (name: string) => boolean;
  /** The folder, or one above it, takes several spellings for the same name. */
  anyCase: boolean;
}

/**
 * The folder's own record of its entries.
 *
 * @throws {DomainError} `forbidden`, `not_found`
 */
export function entriesOf({ path, real }: FolderPlace): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(real)];
  } catch (error) {
    throw asRefusal(error, `Cannot read the folder "${path}"`);
  }
}

/**
 * Makes ready what decides by name, both for the path asked for and, behind a link, for the real
 * one.
 *
 * @param spelling of the folder itself
 */
export function sightOf(
  { locator, path, real, bounds }: FolderPlace,
  spelling: Spelling,
  entries: Deno.DirEntry[],
): FolderSight {
  const anyCase = spelling.anyCase || (locator.sight().hasRules && foldsEntries(real, entries));
  const asked = locator.inScope(path);
  const behind = belowScope(spelling.real, bounds.scope);
  const reserved = locator.reservedIn(real);
  const tests = [locator.sight(anyCase).seesIn(asked)];
  if (behind !== asked) tests.push(locator.sight(anyCase).seesIn(behind));
  const sees = (name: string) =>
    tests.every((sees) => sees(name)) && !(reserved.size > 0 && reserved.has(foldName(name)));
  return { sees, anyCase };
}

/** An entry as the viewer may know it; null for a link whose end may not be known. */
export function childOfEntry(
  { locator, real, bounds }: FolderPlace,
  { name, isDirectory, isSymlink }: Deno.DirEntry,
): Child | null {
  if (!isSymlink) return { name, isFolder: isDirectory, target: null };
  const target = followLink(realChild(real, name), bounds.base);
  if (target.kind === "outside" || !locator.seesTarget(target, bounds)) return null;
  return { name, isFolder: target.kind === "inside" && target.info.isDirectory, target };
}

/** Deno gives names that are not UTF-8 with U+FFFD for the wrong bytes, and that name is not there. */
export function isUnnameable(folder: RealPath, name: string): boolean {
  return name.includes("\uFFFD") && lstatIfThere(realChild(folder, name)) === null;
}

function foldsEntries(folder: RealPath, entries: Deno.DirEntry[]): boolean {
  const telling = entries.find(({ name }) => /[a-z]/i.test(name) && !isUnnameable(folder, name));
  return telling !== undefined && foldsNames(folder, telling.name);
}
