import { dirname, join } from "node:path";
import {
  appFolder,
  asBundle,
  builtFolder,
  bundledPath,
  compiledFolder,
  isPackaged,
  packageFolder,
  sourceNames,
  v8Flags,
} from "../core/config/app_folder.ts";
import { refusalOf, refuseInOneLine, StartRefusal } from "../core/config/refusal.ts";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { stripVTControlCharacters } from "node:util";

const markFile = join(builtFolder, "fingerprint");
const compiled = { DENO_DIR: compiledFolder };
const logFile = join(appFolder, ".cubby-build.log");
const compiledMark = join(compiledFolder, "compiled");
const lockFile = join(isPackaged ? compiledFolder : packageFolder, ".cubby-build.lock");

/** What a failure is called. */
const cannot = isPackaged ? "Cannot compile" : "Cannot build";

/** The longest line about a failure, in characters. */
const maxCauseLength = 300;

/** Prints a line on the progress of a build. */
type Print = (text: string) => void;

/**
 * Installs packages and builds, unless the build is up to date. A package comes built: its scripts
 * are compiled at the first start, where its folder can be written. Concurrent starts build once:
 * the second waits for the first.
 *
 * @param print prints progress for the user
 * @throws StartRefusal when a step fails, with its output
 */
export async function ensureBuilt(print: Print): Promise<void> {
  if (isPackaged) return await compilePackage(print).catch(() => {});
  await unlessDone(isFresh, async () => {
    print("Building, as there is no build of these sources yet …");
    await make(print);
  });
}

/** `deno task build`: always builds, so that the next start does not. */
async function build(print: Print): Promise<void> {
  await unlessDone(() => false, () => make(print));
}

/** Does some work unless it is done, or another process has done it meanwhile. */
async function unlessDone(isDone: () => boolean, work: () => Promise<void>): Promise<void> {
  if (isDone()) return;
  try {
    using lock = openLock();
    await lock.lock(true);
    if (!isDone()) await work();
  } catch (error) {
    throw refusalOf(error, cannot);
  }
}

async function make(print: Print): Promise<void> {
  const start = performance.now();
  // The first time, a company's proxy may stand before the registry, with an authority of its own.
  const authorities = { DENO_TLS_CA_STORE: Deno.env.get("DENO_TLS_CA_STORE") || "system,mozilla" };
  print("1 of 4: installing packages");
  await deno(["install", "--frozen"], authorities);
  // Taken before the build: if sources change during it, the build must count as stale.
  const mark = currentMark();
  print("2 of 4: building the pages and the server");
  await deno(["run", "-A", join(appFolder, "dev.ts"), "build"], authorities);
  Deno.mkdirSync(compiledFolder, { recursive: true });
  for (const { name } of entriesOf(compiledFolder)) {
    Deno.removeSync(join(compiledFolder, name), { recursive: true });
  }
  const boot = join(appFolder, "lib", "server", "boot");
  await compileScripts(join(boot, "warm.ts"), ["run", "-A", join(boot, "trial.ts")], print);
  Deno.writeTextFileSync(markFile, mark);
  print(`Built in ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

/**
 * Compiles the scripts of an installed package, once: the confined server can't keep compiled code,
 * and would compile them at each start. V8 takes the code only from the place where it was compiled.
 *
 * @throws StartRefusal when the folder of the package cannot be written, or a step fails
 */
export async function compilePackage(print: Print): Promise<void> {
  const manifest = readOr(join(appFolder, "package.json"), "");
  const mark = `${Deno.version.deno} ${appFolder}\n${manifest}`;
  await unlessDone(() => readOr(compiledMark, "") === mark, async () => {
    print("Compiling the scripts, once …");
    const programOf = (name: string) => bundledPath(`lib/server/boot/${name}.ts`);
    const flags = ["run", "-A", "--cached-only", ...asBundle];
    await compileScripts(programOf("warm"), [...flags, programOf("trial")], () => {});
    Deno.writeTextFileSync(compiledMark, mark);
  });
}

async function compileScripts(warm: string, trial: string[], print: Print): Promise<void> {
  print("3 of 4: compiling the server");
  await deno(["run", "-A", v8Flags, ...asBundle, warm], compiled);
  print("4 of 4: trying the server");
  await deno(trial);
  addCacheLogs();
}

/**
 * Makes the caches readable for the server, which may not write to their folder. They are SQLite
 * files: a reader opens one only beside its log and the index of that, which the last program that
 * closes it removes. Otherwise the server would parse every module again, at each start.
 */
function addCacheLogs(): void {
  const caches = entriesOf(compiledFolder).filter(({ name }) => /_cache_v\d+$/.test(name));
  for (const path of caches.map(({ name }) => join(compiledFolder, name))) {
    for (const suffix of ["-wal", "-shm"]) {
      Deno.openSync(path + suffix, { create: true, append: true }).close();
    }
  }
}

/** Whether the build is that of the sources. */
export function isFresh(): boolean {
  if (isPackaged) return true;
  return readOr(markFile, null) === currentMark();
}

function readOr<T>(path: string, otherwise: T): string | T {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return otherwise;
  }
}

function currentMark(): string {
  const packages = hasPackages() ? "packages" : "no packages";
  return fingerprint(appFolder, sourceNames, [Deno.version.deno, appFolder, packages]);
}

function hasPackages(): boolean {
  try {
    return Deno.statSync(join(packageFolder, ".deno")).isDirectory;
  } catch {
    return false;
  }
}

function entriesOf(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

function openLock(): Deno.FsFile {
  try {
    Deno.mkdirSync(dirname(lockFile), { recursive: true });
    return Deno.openSync(lockFile, { write: true, create: true });
  } catch {
    throw new StartRefusal(
      `${cannot}: the folder "${appFolder}" cannot be written; run it as the account that owns it`,
    );
  }
}

async function deno(args: string[], env: Record<string, string> = {}): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: appFolder,
    env,
    stdin: "null",
  }).output();
  if (success) return;
  const printed = Buffer.concat([stdout, stderr]).toString();
  const causes = causesOf(printed).map((line) => `\n${line}`).join("");
  throw new StartRefusal(
    isLogged(printed)
      ? `${cannot}: "deno ${args[0]}" failed; see "${logFile}"${causes}`
      : `${cannot}: "deno ${args[0]}" failed${causes}`,
  );
}

/** Writes the log of a failed step, where that is possible: its disk may be full. */
function isLogged(text: string): boolean {
  try {
    Deno.writeTextFileSync(logFile, text);
    return true;
  } catch {
    return false;
  }
}

/**
 * What Deno printed about a failure, in at most two lines: the error, and its deepest cause. The
 * rest, such as the downloads before, is in the log.
 */
export function causesOf(printed: string): string[] {
  const text = stripVTControlCharacters(printed).trim();
  const error = /^error: .*/m.exec(text)?.[0] ?? text.split("\n").at(-1) ?? "";
  const causes = text.split(/^Caused by:/m).slice(1).flatMap((part) => {
    const [cause = ""] = part.trim().split(/\n\s*(?:\n|at )/);
    return cause.split("\n").map((line) => line.trim().replace(/^\d+: /, ""));
  });
  const deepest = causes.at(-1);
  return [error, ...deepest ? [`caused by: ${deepest}`] : []]
    .map((line) => line.slice(0, maxCauseLength));
}

/**
 * A digest that changes whenever a file below one of the names is added, removed or written: of
 * paths, sizes and times, so that a thousand files take a few milliseconds.
 *
 * @param folder the folder of the names, absolute
 * @param names files and folders; those that are missing count as missing
 * @param more further inputs of the result
 */
export function fingerprint(folder: string, names: readonly string[], more: string[]): string {
  const hash = createHash("sha256");
  for (const text of more) hash.update(`${text}\n`);
  for (const name of names) addEntry(folder, name);
  return hash.digest("hex");

  function addEntry(parent: string, name: string): void {
    const path = join(parent, name);
    const info = infoOf(path);
    if (!info?.isDirectory) {
      hash.update(`${path}\0${info?.size}\0${info?.mtime?.getTime()}\n`);
      return;
    }
    const names = [...Deno.readDirSync(path)].map((entry) => entry.name);
    for (const name of names.sort()) addEntry(path, name);
  }
}

function infoOf(path: string): Deno.FileInfo | null {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

if (import.meta.main) await refuseInOneLine(() => build((text) => console.log(text)), cannot);
