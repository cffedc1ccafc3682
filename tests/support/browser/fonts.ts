/** The fonts that pages are shown in: one family at a time, whatever else a machine has. */
import { join } from "node:path";
import { installPackages } from "../run/debian.ts";

/** Two families whose widths and heights differ much. */
export type FontSet = "dejavu" | "noto";

const files: Record<FontSet, { file: string; package: string }> = {
  dejavu: { file: "DejaVuSans.ttf", package: "fonts-dejavu-core" },
  noto: { file: "NotoSans-Regular.ttf", package: "fonts-noto-core" },
};

const folders = ["/usr/share/fonts", "/usr/local/share/fonts"];

/** The file by which fontconfig, and with it the browser, knows these fonts alone. */
export function fontsFile(set: FontSet): string {
  return new URL(`fonts/${set}.conf`, import.meta.url).pathname;
}

/**
 * Sees to it that both are there, and installs their Debian packages where that is possible.
 *
 * @throws Error that says in one line what to install
 */
export async function ensureFonts(): Promise<void> {
  const missing = Object.values(files).filter(({ file }) =>
    !folders.some((folder) => isBelow(folder, file))
  );
  if (missing.length === 0) return;
  const packages = missing.map((set) => set.package);
  await installPackages(packages, `Cannot run the browser tests: install ${packages.join(", ")}`);
}

function isBelow(folder: string, file: string): boolean {
  try {
    return [...Deno.readDirSync(folder)].some(({ name, isDirectory }) =>
      name === file || (isDirectory && isBelow(join(folder, name), file))
    );
  } catch {
    return false;
  }
}
