import type { Arrival } from "../../access/arrival.ts";
import { realChild } from "../../access/real_path.ts";
import { DomainError } from "../../errors.ts";
import type { Steps } from "../steps.ts";
import type { SurveyedFolder } from "./survey.ts";

/** Entries judged between two rests. */
const stride = 512;

/**
 * Judges of all that is in a folder whether it may come to lie at the destination, and finds the
 * folders there that it meets: those take in what comes, and files replace files. A file never
 * takes the place of a folder or a link, nor a folder that of a file.
 *
 * @throws {DomainError} `forbidden`, `exists`; `not_supported` for one that is another disk
 */
export function* admit(tree: SurveyedFolder, arrival: Arrival, action: string): Steps<void> {
  const { files, links, folders } = tree;
  yield;
  tree.into = arrival.info && arrival;
  for (const [index, file] of files.entries()) {
    if (index % stride === stride - 1) yield;
    arrival.admit(file.name);
    const there = arrival.entry(file.name);
    if (there && !there.isFile) throw isInTheWay(file.name, action);
    file.replaces = there !== null;
  }
  for (const link of links) {
    const { name, text } = link;
    arrival.admit(name);
    arrival.admitLink(text);
    const there = arrival.entry(name);
    link.isThere = !!there?.isSymlink &&
      Deno.readLinkSync(realChild(arrival.real, name)) === text;
    if (there && !link.isThere) throw isInTheWay(name, action);
  }
  for (const folder of folders) {
    arrival.admit(folder.name);
    const there = arrival.entry(folder.name);
    if (there && !there.isDirectory) throw isInTheWay(folder.name, action);
    if (there && there.dev !== arrival.info?.dev) {
      throw new DomainError("not_supported", `${action}: "${folder.name}" there is another disk`);
    }
    yield* admit(folder, arrival.below(folder.name), action);
  }
}

function isInTheWay(name: string, action: string): DomainError {
  const text = `${action}: another kind of entry has the name "${name}" at the destination`;
  return new DomainError("exists", text);
}
