/** Where the browser of the end-to-end tests comes from. */

import { installPackages } from "../run/debian.ts";

/** Chromium without a window and its PDF viewer: the same engine for a third less work. */
const shell = "chromium-headless-shell";

const whole = ["chromium", "chromium-browser", "google-chrome"];

const advice = "install Chromium (on Debian: apt-get install chromium) or name it in CHROMIUM";

/**
 * The path of a Chromium that can be started: the `CHROMIUM` variable, else the first of these
 * names on PATH or in `/usr/bin`. Null when there is none.
 *
 * @throws Error when `CHROMIUM` names a file that is not there.
 */
function findChromium(names: string[]): string | null {
  const named = Deno.env.get("CHROMIUM");
  if (named && !isFile(named)) {
    throw new Error(`Cannot start the browser: CHROMIUM names "${named}", which is not a file`);
  }
  if (named && (names.includes(shell) || !named.endsWith(shell))) return named;
  const folders = [...(Deno.env.get("PATH") ?? "").split(":").filter(Boolean), "/usr/bin"];
  const candidates = names.flatMap((name) => folders.map((folder) => `${folder}/${name}`));
  return candidates.find(isFile) ?? null;
}

/**
 * Like {@linkcode findChromium}, but installs the Debian package where that is possible: on Debian
 * or a derivative, as root. There the Chromium without a window is installed beside any other,
 * which serves when that fails.
 *
 * @param kind `whole` for what the one without a window lacks
 * @throws Error that says in one line what to install.
 */
export async function ensureChromium(kind: "any" | "whole" = "any"): Promise<string> {
  const names = kind === "any" ? [shell, ...whole] : whole;
  const found = findChromium(names);
  const isBest = found && (kind === "whole" || found.endsWith(shell) || Deno.env.has("CHROMIUM"));
  if (isBest) return found;
  const packages = kind === "any" ? shell : "chromium";
  try {
    await installPackages([packages], `Cannot run the end-to-end tests: ${advice}`);
  } catch (error) {
    if (found) return found;
    throw error;
  }
  const installed = findChromium(names);
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
