import { basename, dirname, join } from "node:path";
import { asBundle, asServer, isBundled, modulePath } from "../core/config/app_folder.ts";
import { isFileDatabase } from "../core/config/places.ts";
import { StartRefusal } from "../core/config/refusal.ts";
import { findImport, findStore, type LaunchEnvironment } from "../core/config/sources.ts";
import {
  checkStore,
  exists,
  holdsStore,
  importedStore,
  isForeign,
  openingError,
  refuseEmptied,
  removeFiles,
} from "./prepare_data.ts";

/**
 * Imports the File Browser database of `--import-from`; or with `--import` the one that `--database`
 * names, into a store beside it. What was imported before is used: the old file is left as it is,
 * and may be removed later.
 *
 * @returns flags to start with: the store to use instead of the one that is named
 * @throws StartRefusal when the database cannot be imported; no new store is left then
 */
export async function importForeign(environment: LaunchEnvironment): Promise<string[]> {
  const named = findStore(environment);
  const { from, inPlace } = findImport(environment);
  if (!isFileDatabase(named) || !(from || inPlace)) return [];
  if (!from && !isForeign(named)) {
    if (exists(named)) return [];
    const former = importedStore(named);
    // Versions before 0.3.0 have left no record of an import.
    if (["import", "users"].includes(await contentOf(former))) return ["--database", former];
    console.log(`Nothing to import: there is no "${named}"`);
    return [];
  }
  const [foreign, store] = from ? [from, named] : [named, importedStore(named)];
  refuseEmptied(store, () => ({}));
  const isUsed = await usesImported(store, foreign);
  if (!isUsed) {
    using _ = await lockImport(store, foreign);
    // Another start may have imported it meanwhile.
    if (!await usesImported(store, foreign)) await importInto(store, foreign, environment.cwd);
  }
  return from ? [] : ["--database", store];
}

/** Whether a store is used as it is, and says so. */
async function usesImported(store: string, foreign: string): Promise<boolean> {
  const content = await contentOf(store);
  if (content === "import") {
    console.log(`Using "${store}", which was imported from "${foreign}"`);
  } else if (content === "users") {
    console.log(
      `Using "${store}", which has users already; nothing is imported from "${foreign}": ` +
        `"cubby import" does that`,
    );
  }
  return content === "import" || content === "users";
}

/**
 * Waits until no other start imports into a store.
 *
 * @throws StartRefusal when its folder cannot be written
 */
async function lockImport(store: string, foreign: string): Promise<Disposable> {
  const path = `${store}.unfinished.lock`;
  while (true) {
    const file = openLock(path, store, foreign);
    await file.lock(true);
    // Another start may have removed it meanwhile, and a third one may hold the next.
    if (isStill(path, file)) {
      return {
        [Symbol.dispose]() {
          Deno.removeSync(path);
          file.close();
        },
      };
    }
    file.close();
  }
}

function openLock(path: string, store: string, foreign: string): Deno.FsFile {
  try {
    return Deno.openSync(path, { read: true, write: true, create: true, mode: 0o600 });
  } catch {
    throw new StartRefusal(
      `Cannot import "${foreign}" into "${store}": its folder cannot be written; for a store ` +
        `elsewhere, start with --database FILE --import-from ${foreign}`,
    );
  }
}

/** Whether a path leads to an open file. */
function isStill(path: string, file: Deno.FsFile): boolean {
  try {
    return Deno.statSync(path).ino === file.statSync().ino;
  } catch {
    return false;
  }
}

/**
 * The sources of settings for a command: with the store that was imported, where they name the File
 * Browser database that it was imported from, as those of a server with `--import` do.
 *
 * @param makes the command makes a store where there is none
 * @throws StartRefusal for a database that has not been imported
 */
export async function followImport(
  environment: LaunchEnvironment,
  makes: boolean,
): Promise<LaunchEnvironment> {
  const named = findStore(environment);
  if (!isFileDatabase(named)) return environment;
  const store = importedStore(named);
  const following = { ...environment, args: [...environment.args, `--database=${store}`] };
  if (!isForeign(named)) {
    // The database was removed after the import.
    const isReplaced = !exists(named) && await contentOf(store) === "import";
    return isReplaced ? following : environment;
  }
  if (makes || ["import", "users"].includes(await contentOf(store))) return following;
  throw new StartRefusal(
    `Cannot use the database "${named}": it is a File Browser database; ` +
      `"cubby import ${named} --database ${store}" imports it`,
  );
}

/**
 * What a store holds: a whole import; users of its own; part of an interrupted import, or no user
 * but an administrator who has never signed in; nothing.
 */
type Content = "import" | "users" | "unused" | "nothing";

async function contentOf(path: string): Promise<Content> {
  if (!holdsStore(path)) return "nothing";
  checkStore(path);
  // Imported here, as most starts need none of it.
  const { openStore } = await import("../core/kv/store.ts");
  const { importMark } = await import("../core/kv/server_records.ts");
  const { isUnused } = await import("../features/accounts/users/fresh_admin.ts");
  try {
    const store = await openStore(path, { keepsSchema: true });
    try {
      const mark = await importMark.get(store);
      if (mark) return mark.isComplete ? "import" : "unused";
      return await isUnused(store) ? "unused" : "users";
    } finally {
      store.close();
    }
  } catch (error) {
    throw openingError(path, error);
  }
}

/**
 * Imports into a store; a new one gets its name when the import is complete. The unfinished store
 * has a name of its own: the import of a start that was killed may still be writing another.
 */
async function importInto(store: string, foreign: string, cwd: string): Promise<void> {
  const isNew = !exists(store);
  const target = isNew ? `${store}.${crypto.randomUUID()}.unfinished` : store;
  if (isNew) removeUnfinished(store);
  console.log(`Importing "${foreign}" into "${store}"`);
  // A program of its own: importing needs parts that the launcher does without.
  const program = modulePath("lib/server/cli/cubby.ts");
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--cached-only", ...isBundled ? asBundle : asServer, program],
      ...["import", foreign, "--database", target],
    ],
    cwd,
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  if (!success) {
    if (isNew) removeFiles(target);
    throw new StartRefusal(`Cannot import "${foreign}": see above`);
  }
  if (isNew) Deno.renameSync(target, store);
}

/** Removes what starts that were killed have left of a new store. */
function removeUnfinished(store: string): void {
  for (const { name } of [...Deno.readDirSync(dirname(store))]) {
    if (!name.startsWith(`${basename(store)}.`) || !/\.unfinished(?:-\w+)?$/.test(name)) continue;
    removeFiles(join(dirname(store), name));
  }
}
