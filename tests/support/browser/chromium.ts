/** Where the browser of the end-to-end tests comes from. */

import { installPackages } from "../run/debian.ts";

/** Chromium without a window: the same engine for a third less work. */
const shell = "chromium-headless-shell";

const names = [shell, "chromium", "chromium-browser", "google-chrome"];

const advice = "install Chromium (on Debian: apt-get install chromium) or name it in CHROMIUM";

/**
 * The path of a Chromium that can be started: the `CHROMIUM` variable, else the first of these names
 * on PATH or in `/usr/bin`. Null when there is none.
 *
 * @throws Error when `CHROMIUM` names a file that is not there.
 */
function findChromium(): string | null {
  const named = Deno.env.get("CHROMIUM");
  if (named) {
    if (isFile(named)) return named;
    throw new Error(`Cannot start the browser: CHROMIUM names "${named}", which is not a file`);
  }
  const folders = (Deno.env.get("PATH") ?? "").split(":").filter((folder) => folder !== "");
  const candidates = names.flatMap((name) =>
    [...folders, "/usr/bin"].map((folder) => `${folder}/${name}`)
  );
  return candidates.find(isFile) ?? null;
}

/**
 * Like {@linkcode findChromium}, but installs a Debian package where that is possible: on Debian or
 * a derivative, as root. There the one without a window is installed beside any other, which serves
 * when that fails.
 *
 * @throws Error that says in one line what to install.
 */
export async function ensureChromium(): Promise<string> {
  const found = findChromium();
  if (found && (Deno.env.has("CHROMIUM") || found.endsWith(shell))) return found;
  for (const name of [shell, "chromium"]) {
    try {
      await installPackages([name], `Cannot run the end-to-end tests: ${advice}`);
      break;
    } catch (error) {
      if (found) return found;
      if (name === "chromium") throw error;
    }
  }
  const installed = findChromium();
  if (installed) return installed;
  throw new Error(`Cannot run the end-to-end tests: the package has no chromium; ${advice}`);
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
