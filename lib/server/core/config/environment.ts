import { type GivenValues, startOptions, variablesOf } from "./options.ts";
import { StartRefusal } from "./refusal.ts";

/** Source of environment variables: `Deno.env`, or a map in tests. */
export interface Environment {
  get(name: string): string | undefined;
}

/**
 * Reads the `FB_*` variables: `FB_CACHE_DIR` or `FB_CACHEDIR` for `--cache-dir`. An empty one
 * counts as unset.
 *
 * @throws StartRefusal when two spellings of a name have different values
 */
export function readEnvironment(env: Environment): GivenValues {
  const given: GivenValues = new Map();
  for (const option of startOptions) {
    const { name } = option;
    for (const source of variablesOf(option)) {
      const text = env.get(source);
      if (!text) continue;
      const former = given.get(name);
      if (former && former.text !== text) {
        throw new StartRefusal(`Cannot use ${source}: ${former.source} has another value`);
      }
      if (!former) given.set(name, { text, source });
    }
  }
  return given;
}
