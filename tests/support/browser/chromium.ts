/** Where the browser of the end-to-end tests comes from. */

import { installPackages } from "../run/debian.ts";

const names = ["chromium", "chromium-browser", "google-chrome"];

const advice = "install Chromium (on Debian: apt-get install chromium) or name it in CHROMIUM";

/**
 * The path of a Chromium that can be started: the `CHROMIUM` variable, else the usual names on
 * PATH, else `/usr/bin/chromium`. Null when there is none.
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
  const candidates = folders.flatMap((folder) => names.map((name) => `${folder}/${name}`));
  return [...candidates, "/usr/bin/chromium"].find(isFile) ?? null;
}

/**
 * Like {@linkcode findChromium}, but installs the Debian package where that is possible: on Debian
 * or a derivative, as root.
 *
 * @throws Error that says in one line what to install.
 */
export async function ensureChromium(): Promise<string> {
  const found = findChromium();
  if (found) return found;
  await installPackages(["chromium"], `Cannot run the end-to-end tests: ${advice}`);
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
