import type { PatientSteps } from "../../walk/slices.ts";
import { proveCarried } from "./carried.ts";
import { type CopyOrder, FileCopy } from "./file_copy.ts";
import type { VerifiedFolder } from "./staging.ts";
import type { SurveyedFile } from "./survey.ts";

/** Files that are open at once: proven together, and synced together. */
const batchSize = 64;

/**
 * Copies files of one folder into another that has none of their names, with content, permissions
 * and times. Where the files lie is proven once they are open on both sides; from then on the open
 * files alone are used, so nobody can lead the work elsewhere. Files that are gone are left out.
 *
 * Copies that replace a file, and those of a move, are synced; others are left to the system.
 *
 * @throws {DomainError} `forbidden`, `not_found`, `not_a_file`; and errors of the system
 */
export function* copyFiles(
  from: VerifiedFolder,
  to: VerifiedFolder,
  files: readonly SurveyedFile[],
  order: CopyOrder,
): PatientSteps<void> {
  for (let start = 0; start < files.length; start += batchSize) {
    yield* copyBatch(from, to, files.slice(start, start + batchSize), order);
    yield;
  }
}

function* copyBatch(
  from: VerifiedFolder,
  to: VerifiedFolder,
  files: SurveyedFile[],
  order: CopyOrder,
): PatientSteps<void> {
  const copies: FileCopy[] = [];
  try {
    for (const file of files) {
      const copy = FileCopy.open(from, to, file, order);
      if (copy) copies.push(copy);
    }
    proveCarried(from, to, copies.map((copy) => copy.carried), order.action);
    for (const copy of copies) yield* copy.fill();
    const synced = copies.filter(({ file }) => order.isMove || file.replaces);
    if (synced.length > 0) yield Promise.all(synced.map((copy) => copy.sync())).then(() => {});
    for (const copy of copies) copy.finish();
  } finally {
    for (const copy of copies) copy.release();
  }
}
