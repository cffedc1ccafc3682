import type { Config } from "../../config/config.ts";
import { programNames } from "./recipes.ts";

/** Describes in a line which programs make previews, and how; null where none may be run. */
export function describePrograms({ readerHost }: Pick<Config, "readerHost">): string | null {
  if (!readerHost) return null;
  const { programs, refusal } = readerHost;
  const found = programNames.filter((name) => programs[name] !== undefined).join(", ");
  if (refusal !== null) {
    return `Media: ${found} not used, as they would have no sandbox: ${refusal}`;
  }
  return `Media: ${found}, each run in a sandbox on one file`;
}
