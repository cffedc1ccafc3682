import { join } from "node:path";
import {
  appFolder,
  builtEntry,
  builtFolder,
  compiledFolder,
  sourceNames,
} from "../config/app_folder.ts";
import { fingerprint } from "./fingerprint.ts";
import { StartRefusal } from "../config/refusal.ts";

const markFile = join(builtFolder, "fingerprint");
const warmModule = join(appFolder, "lib", "start", "warm.ts");
/**
 * How the server process finds its packages: by the lock alone, as the build does that makes the
 * scripts of the browser, so that both have the same versions.
 */
export const asServer: readonly string[] = ["--frozen", "--node-modules-dir=manual"];
const compiled = { DENO_DIR: compiledFolder };
const packageFolder = join(appFolder, "node_modules");
const lockFile = join(packageFolder, ".cubby-build.lock");

/**
 * Installs packages and builds, if that was never done or a source has changed since. Two starts at
 * the same time build once: the second waits for the first.
 *
 * @param say tells the user what takes so long
 * @throws StartRefusal when a step fails, with what it printed
 */
export async function ensureBuilt(say: (text: string) => void): Promise<void> {
  if (isFresh()) return;
  using lock = openLock();
  await lock.lock(true);
  if (isFresh()) return;

  const start = performance.now();
  say("Building, as there is no build of these sources yet …");
  await deno(["install", "--frozen"]);
  // Taken before the build: one made from sources that change meanwhile must count as stale.
  const mark = currentMark();
  await deno(["run", "-A", join(appFolder, "dev.ts"), "build"]);
  const sources = sourceFiles();
  await deno(["cache", ...asServer, builtEntry, ...sources], compiled);
  await deno(["run", "-A", ...asServer, warmModule, ...modulesToWarm(sources)], compiled);
  Deno.writeTextFileSync(markFile, mark);
  say(`Built in ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

function isFresh(): boolean {
  try {
    return Deno.readTextFileSync(markFile) === currentMark();
  } catch {
    return false;
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

/** Every module that the server may import, also those that only Workers and requests do. */
function sourceFiles(): string[] {
  return ["components", "islands", "lib", "routes"]
    .flatMap((name) => filesBelow(join(appFolder, name)))
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".d.ts"));
}

function filesBelow(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory ? filesBelow(path) : [path];
  });
}

function entriesOf(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** What the first requests need; none of these opens anything when it is imported. */
function modulesToWarm(sources: string[]): string[] {
  const opening = [
    "lib/server/app.ts",
    "lib/server/cubby.ts",
    "lib/server/boot/serving.ts",
    "_fresh/snapshot.js",
  ];
  const routes = sources.filter((path) => path.startsWith(join(appFolder, "routes")));
  return [...opening.map((name) => join(appFolder, name)), ...routes];
}

function openLock(): Deno.FsFile {
  try {
    Deno.mkdirSync(packageFolder, { recursive: true });
    return Deno.openSync(lockFile, { write: true, create: true });
  } catch {
    throw new StartRefusal(`Cannot build: the folder "${appFolder}" cannot be written`);
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
  const decoder = new TextDecoder();
  const printed = `${decoder.decode(stdout)}${decoder.decode(stderr)}`.trim();
  throw new StartRefusal(`Cannot build: "deno ${args[0]}" failed\n${printed}`);
}
