import { type GivenValues, startOptions } from "./options.ts";

/** Source of environment variables: `Deno.env`, or a map in tests. */
export interface Environment {
  get(name: string): string | undefined;
}

/** Reads the `FB_*` variables: `FB_CACHE_DIR` for `--cache-dir`. An empty one counts as unset. */
export function readEnvironment(env: Environment): GivenValues {
  const given: GivenValues = new Map();
  for (const { name } of startOptions) {
    const source = `FB_${name.toUpperCase().replaceAll("-", "_")}`;
    const text = env.get(source);
    if (text) given.set(name, { text, source });
  }
  return given;
}
