import type { Access } from "../access/access.ts";
import { Branch, type Picked } from "../access/branch.ts";
import type { EntryPath } from "../access/path.ts";
import { DomainError } from "../errors.ts";
import { nameTestOf } from "../search/name_test.ts";
import type { SearchOptions } from "../search/query.ts";
import { Frontier } from "./frontier.ts";
import { Gathering } from "./gathering.ts";
import type { Outlet } from "./outlet.ts";
import { Results } from "./results.ts";
import type { PatientSteps } from "./slices.ts";

/**
 * Looks for entries below a folder by name and sends them out as they are found. Folders that
 * vanish meanwhile, and those that the system does not let the server read, have nothing in them.
 *
 * @throws {DomainError} `forbidden`, `not_found`
 */
export function* searchFolder(
  access: Access,
  path: EntryPath,
  { query, format }: SearchOptions,
  outlet: Outlet,
): PatientSteps<void> {
  const top = access.folder(path);
  const { fits, isMeant } = nameTestOf(query);
  const results = new Results(outlet, format);
  const gathering = new Gathering(top, results);
  const frontier = new Frontier<Branch>();

  let branch: Branch | undefined = Branch.of(top);
  let picked: Picked = branch.pick(fits);
  outlet.open();
  while (branch) {
    frontier.add(picked.branches);
    gathering.add(branch, picked.hits.filter(isMeant));
    yield;
    if (gathering.isDue) yield* gathering.tell();
    branch = frontier.next();
    if (branch) picked = pick(branch, fits);
  }
  yield* gathering.tell();
  yield* results.end();
}

function pick(branch: Branch, fits: (name: string) => boolean): Picked {
  try {
    return branch.pick(fits);
  } catch (error) {
    if (error instanceof DomainError) return { hits: [], branches: [] };
    throw error;
  }
}
