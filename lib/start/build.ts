import { join } from "node:path";
import { appFolder, builtEntry, builtFolder, compiledFolder, sourceNames } from "./app_folder.ts";
import { fingerprint } from "./fingerprint.ts";
import { StartRefusal } from "./refusal.ts";

const markFile = join(builtFolder, "fingerprint");
const lockFile = join(appFolder, ".cubby-build.lock");

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
  await deno(["run", "-A", "--cached-only", join(appFolder, "dev.ts"), "build"]);
  await deno(["cache", "--node-modules-dir=manual", ...serverModules()], {
    DENO_DIR: compiledFolder,
  });
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
    return Deno.statSync(join(appFolder, "node_modules")).isDirectory;
  } catch {
    return false;
  }
}

/** What the server process imports: it finds these compiled. */
function serverModules(): string[] {
  const here = import.meta.dirname ?? appFolder;
  return [join(here, "serve.ts"), join(here, "thread.ts"), builtEntry];
}

function openLock(): Deno.FsFile {
  try {
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
  throw new StartRefusal(`Cannot build: "deno ${args.join(" ")}" failed\n${printed}`);
}
