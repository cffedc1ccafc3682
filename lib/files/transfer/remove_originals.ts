import { rmdirSync } from "node:fs";
import { DomainError } from "../../errors.ts";
import { lstatIfThere } from "../../access/lstat.ts";
import { codeOf, saysMissing } from "../../access/os_errors.ts";
import { realChild, type RealPath } from "../../access/real_path.ts";
import type { Steps } from "../steps.ts";
import type { SurveyedFile, SurveyedFolder } from "./survey.ts";
import { isAsTaken } from "./taken.ts";

/** Entries that are removed between two proofs of where they lie. */
const batchSize = 64;

/**
 * Deletes what was moved by copying, and nothing else: a file that was changed since, or that came
 * since, stays with the folders above it.
 *
 * @throws {DomainError} `precondition_failed` when anything stays, after the rest is gone
 */
export function* removeOriginals(tree: SurveyedFolder, action: string): Steps<void> {
  if (yield* removeFolder(tree)) return;
  throw stays(action);
}

/**
 * The same for a single file.
 *
 * @throws {DomainError} `precondition_failed`
 */
export function removeOriginal(real: RealPath, file: SurveyedFile, action: string): void {
  if (!removeFile(real, file)) throw stays(action);
}

/** Whether all of it is gone. */
function* removeFolder({ folder, files, links, folders }: SurveyedFolder): Steps<boolean> {
  let isGone = true;
  for (const inner of folders) isGone = (yield* removeFolder(inner)) && isGone;
  for (const [index, entry] of [...files, ...links].entries()) {
    if (index % batchSize === 0) {
      folder.verify();
      yield;
    }
    const real = realChild(folder.real, entry.name);
    isGone = ("text" in entry ? removeLink(real, entry.text) : removeFile(real, entry)) && isGone;
  }
  folder.verify();
  return isGone && removeEmptyFolder(folder.real);
}

function removeFile(real: RealPath, { taken }: SurveyedFile): boolean {
  const info = lstatIfThere(real);
  if (!info) return true;
  if (!taken || !isAsTaken(info, taken)) return false;
  Deno.removeSync(real);
  return true;
}

function removeLink(real: RealPath, text: string): boolean {
  const info = lstatIfThere(real);
  if (!info) return true;
  if (!info.isSymlink || Deno.readLinkSync(real) !== text) return false;
  Deno.removeSync(real);
  return true;
}

function removeEmptyFolder(real: RealPath): boolean {
  try {
    rmdirSync(real);
    return true;
  } catch (error) {
    if (saysMissing(error)) return true;
    if (error instanceof Error && codeOf(error) === "ENOTEMPTY") return false;
    throw error;
  }
}

function stays(action: string): DomainError {
  const text = `${action}: something in it changed meanwhile and stays where it was`;
  return new DomainError("precondition_failed", text);
}
