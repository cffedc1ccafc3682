import { asBundle, asServer, isBundled, modulePath } from "../core/config/app_folder.ts";
import { databaseFiles } from "../core/config/places.ts";
import { StartRefusal } from "../core/config/refusal.ts";
import { findStore, type LaunchEnvironment, wantsImport } from "../core/config/sources.ts";
import { holdsStore, importedStore, isForeign, refuseEmptied } from "./prepare_data.ts";

/**
 * Where `--database` names a File Browser database and `--import` is given: takes it over into a
 * store beside it, unless an earlier start has done so. The old file is left as it is.
 *
 * @returns flags to start with: the store to use instead
 * @throws StartRefusal when the database cannot be imported; no store is left then
 */
export async function importForeign(environment: LaunchEnvironment): Promise<string[]> {
  const foreign = findStore(environment);
  if (!isForeign(foreign) || !wantsImport(environment)) return [];
  const store = importedStore(foreign);
  refuseEmptied(store, () => ({}));
  if (holdsStore(store)) {
    console.log(`Using "${store}", which was imported from "${foreign}"`);
  } else await importInto(store, foreign, environment.cwd);
  return ["--database", store];
}

/** Imports under another name first, so that an interrupted import does not count as done. */
async function importInto(store: string, foreign: string, cwd: string): Promise<void> {
  const unfinished = `${store}.unfinished`;
  removeFiles(unfinished);
  console.log(`Importing "${foreign}" into "${store}"`);
  // A program of its own: importing needs parts that the launcher does without.
  const program = modulePath("lib/server/cli/cubby.ts");
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--cached-only", ...isBundled ? asBundle : asServer, program],
      ...["import", foreign, "--database", unfinished],
    ],
    cwd,
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  if (!success) {
    removeFiles(unfinished);
    throw new StartRefusal(`Cannot import "${foreign}": see above`);
  }
  Deno.renameSync(unfinished, store);
}

function removeFiles(store: string): void {
  for (const path of databaseFiles(store)) {
    try {
      Deno.removeSync(path);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}
