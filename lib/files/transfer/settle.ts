import { DomainError } from "../../errors.ts";
import { lstatIfThere } from "../../access/lstat.ts";
import { codeOf } from "../../access/os_errors.ts";
import { realChild, type RealPath } from "../../access/real_path.ts";
import type { Steps } from "../steps.ts";
import { addName, moveFolder } from "../free_name.ts";
import type { BuiltFolder } from "./build.ts";
import { NameTaken } from "./request.ts";

/** Entries that take their names between two proofs of where they go. */
const batchSize = 64;

/**
 * Gives a finished copy that is no folder its name. A file that may be replaced is replaced in one
 * step; otherwise the name must be free.
 *
 * @throws {DomainError} `exists`; and errors of the system
 */
export function settleFile(
  copy: RealPath,
  target: RealPath,
  mayReplace: boolean,
  action: string,
): void {
  const former = mayReplace ? lstatIfThere(target) : null;
  if (former?.isFile) return Deno.renameSync(copy, target);
  take(() => addName(copy, target), action);
}

/**
 * Gives a finished copy of a folder its name, which must be free.
 *
 * @throws {DomainError} `exists`; and errors of the system
 */
export function settleFolder(copy: RealPath, target: RealPath, action: string): void {
  take(() => moveFolder(copy, target), action);
}

/**
 * Moves all that is in a finished copy of a folder into the folder that it meets at the
 * destination: what is new there comes in one step each, files that are there are replaced in one
 * step each, and folders that are there take in what is in theirs. Nothing else there is touched.
 *
 * @param copy where the finished copy lies
 * @throws {DomainError} `exists`, `forbidden`, `not_found`; and errors of the system
 */
export function* mergeFolder(
  { source, folders }: BuiltFolder,
  copy: RealPath,
  action: string,
): Steps<void> {
  const into = source.into;
  if (!into) throw new Error("Cannot merge a folder: there is none to merge it into");
  const singles = [
    ...source.files.filter(({ taken }) => taken),
    ...source.links.map(({ name }) => ({ name, replaces: false })),
  ];
  for (const [index, { name, replaces }] of singles.entries()) {
    if (index % batchSize === 0) {
      into.verify();
      yield;
    }
    const from = realChild(copy, name);
    // A link that is there already, or was gone before it could be copied.
    if (lstatIfThere(from)) settleFile(from, realChild(into.real, name), replaces, action);
  }
  for (const inner of folders) {
    const { name } = inner.source;
    into.verify();
    if (inner.source.into) yield* mergeFolder(inner, realChild(copy, name), action);
    else settleFolder(realChild(copy, name), realChild(into.real, name), action);
  }
}

function take(step: () => void, action: string): void {
  try {
    step();
  } catch (error) {
    const code = error instanceof Error ? codeOf(error) ?? "" : "";
    if (["EEXIST", "ENOTEMPTY", "ENOTDIR"].includes(code)) throw new NameTaken(action);
    if (code !== "EXDEV") throw error;
    throw new DomainError("not_supported", `${action}: another disk begins below the destination`);
  }
}
