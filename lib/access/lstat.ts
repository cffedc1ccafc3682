import { saysMissing } from "./os_errors.ts";
import type { RealPath } from "./real_path.ts";

/** What the disk says of an entry itself, not of what a link leads to; null when it is not there. */
export function lstatIfThere(real: RealPath): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(real);
  } catch (error) {
    if (saysMissing(error)) return null;
    throw error;
  }
}
