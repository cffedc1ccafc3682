import { type GivenValues, type OptionName, startOptions } from "./options.ts";
import { StartRefusal } from "./refusal.ts";

/** Source of environment variables: `Deno.env`, or a map in tests. */
export interface Environment {
  get(name: string): string | undefined;
}

/** Names of File Browser's variables that are spelled otherwise than the flags here. */
const otherSpellings: Partial<Record<OptionName, string[]>> = {
  baseurl: ["BASE_URL"],
  "recaptcha-key": ["AUTH_RECAPTCHA_KEY"],
  "recaptcha-secret": ["AUTH_RECAPTCHA_SECRET"],
  "recaptcha-host": ["AUTH_RECAPTCHA_HOST"],
};

/**
 * Reads the `FB_*` variables: `FB_CACHE_DIR` or `FB_CACHEDIR` for `--cache-dir`. An empty one
 * counts as unset.
 *
 * @throws StartRefusal when two spellings of a name have different values
 */
export function readEnvironment(env: Environment): GivenValues {
  const given: GivenValues = new Map();
  for (const { name } of startOptions) {
    const words = name.toUpperCase().split("-");
    const spellings = [words.join("_"), words.join(""), ...otherSpellings[name] ?? []];
    for (const source of new Set(spellings.map((spelling) => `FB_${spelling}`))) {
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
