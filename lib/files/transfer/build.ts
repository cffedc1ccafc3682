import type { PatientSteps } from "../../walk/slices.ts";
import { copyFiles } from "./copy_files.ts";
import type { CopyOrder } from "./file_copy.ts";
import { copyLinks, linkFiles } from "./link_files.ts";
import { StagedFolder, type VerifiedFolder } from "./staging.ts";
import type { SurveyedFolder } from "./survey.ts";

/** A folder that was copied out of sight. */
export interface BuiltFolder {
  source: SurveyedFolder;
  /** What the disk says of the copy, to know it again under its name. */
  info: Deno.FileInfo;
  folders: BuiltFolder[];
}

/**
 * Makes the copy of a folder with all that is below it in a folder out of sight.
 *
 * @throws {DomainError} `forbidden`, `not_found`, `not_a_file`, `precondition_failed`; and errors
 * of the system, such as ENOSPC
 */
export function* buildFolder(
  source: SurveyedFolder,
  above: VerifiedFolder,
  order: CopyOrder,
): PatientSteps<BuiltFolder> {
  const copy = new StagedFolder(above, source.name);
  yield* carryFiles(source, copy, order);
  const folders: BuiltFolder[] = [];
  for (const inner of source.folders) folders.push(yield* buildFolder(inner, copy, order));
  return { source, info: copy.info, folders };
}

/**
 * Copies what of a folder is no folder. A move within a disk gives files a second name instead, and
 * copies those that can't have one.
 */
export function* carryFiles(
  { folder, files, links }: Pick<SurveyedFolder, "files" | "links"> & { folder: VerifiedFolder },
  copy: VerifiedFolder,
  order: CopyOrder,
): PatientSteps<void> {
  const left = order.isMove ? yield* linkFiles(folder, copy, files, order.action) : files;
  yield* copyFiles(folder, copy, left, order);
  yield* copyLinks(folder, copy, links.filter(({ isThere }) => !isThere), order.action);
}
