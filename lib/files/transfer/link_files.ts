import { DomainError } from "../../errors.ts";
import { codeOf, saysMissing } from "../../access/os_errors.ts";
import { realChild } from "../../access/real_path.ts";
import type { PatientSteps } from "../../walk/slices.ts";
import { type Carried, proveCarried } from "./carried.ts";
import { makeSureGone } from "./gone.ts";
import type { VerifiedFolder } from "./staging.ts";
import type { SurveyedFile, SurveyedLink } from "./survey.ts";

/** Entries that are linked before they are proven. */
const batchSize = 64;

/** What systems say where an entry can't have a second name. */
const cannotLink = new Set([
  ...["EXDEV", "EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EINVAL"],
]);

/**
 * Gives files a second name in another folder: how a move within a disk takes them along and leaves
 * the first names until all is done.
 *
 * @returns those that can't have one here
 * @throws {DomainError} `forbidden`, `not_found`
 */
export function* linkFiles(
  from: VerifiedFolder,
  to: VerifiedFolder,
  files: readonly SurveyedFile[],
  action: string,
): PatientSteps<SurveyedFile[]> {
  const left: SurveyedFile[] = [];
  for (let start = 0; start < files.length; start += batchSize) {
    const carried: Carried[] = [];
    for (const file of files.slice(start, start + batchSize)) {
      const linked = linkFile(from, to, file, action);
      if (linked === "unable") left.push(file);
      else if (linked) carried.push(linked);
    }
    proveCarried(from, to, carried, action);
    yield;
  }
  return left;
}

/**
 * Copies links: the copy is the same link under a second name, since a link never changes. It says
 * what the first says, and that it may say so at its new place was judged before.
 *
 * @throws {DomainError} `forbidden` also where a link can't have a second name
 */
export function* copyLinks(
  from: VerifiedFolder,
  to: VerifiedFolder,
  links: readonly SurveyedLink[],
  action: string,
): PatientSteps<void> {
  for (let start = 0; start < links.length; start += batchSize) {
    const carried: Carried[] = [];
    for (const { name, text } of links.slice(start, start + batchSize)) {
      const info = addName(from, to, name);
      if (info === "gone") {
        makeSureGone(from, name, action);
        continue;
      }
      if (
        info === "unable" || !info.isSymlink || Deno.readLinkSync(realChild(to.real, name)) !== text
      ) {
        throw new DomainError("forbidden", `${action}: the link "${name}" cannot be copied there`);
      }
      carried.push({ name, from: info, to: info });
    }
    proveCarried(from, to, carried, action);
    yield;
  }
}

function linkFile(
  from: VerifiedFolder,
  to: VerifiedFolder,
  file: SurveyedFile,
  action: string,
): Carried | "unable" | null {
  const info = addName(from, to, file.name);
  if (info === "gone") {
    makeSureGone(from, file.name, action);
    return null;
  }
  if (info === "unable") return "unable";
  if (!info.isFile) {
    throw new DomainError("not_a_file", `${action}: "${file.name}" is no regular file`);
  }
  const { ino, dev, size } = info;
  file.taken = { ino, dev, size, modified: info.mtime?.getTime() ?? 0, isLinked: true };
  return { name: file.name, from: info, to: info };
}

/** What lies under the second name. */
function addName(
  from: VerifiedFolder,
  to: VerifiedFolder,
  name: string,
): Deno.FileInfo | "gone" | "unable" {
  const second = realChild(to.real, name);
  try {
    Deno.linkSync(realChild(from.real, name), second);
  } catch (error) {
    if (saysMissing(error)) return "gone";
    if (error instanceof Error && cannotLink.has(codeOf(error) ?? "")) return "unable";
    throw error;
  }
  return Deno.lstatSync(second);
}
