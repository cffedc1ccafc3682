import { childOf, type EntryPath } from "../access/path.ts";
import type { Api } from "./api.ts";
import { eachAtOnce } from "./at_once.ts";

/** Beyond this many names the server is not asked one by one; it refuses what is taken anyway. */
export const MAX_ASKED = 200;

/** How many names are asked about at a time. */
export const AT_ONCE = 5;

/** Asks the server which of some names are taken in a folder, as far as it tells. */
export async function askTaken(
  api: Pick<Api, "exists">,
  folder: EntryPath,
  names: readonly string[],
): Promise<Set<string>> {
  const taken = new Set<string>();
  await eachAtOnce(names, AT_ONCE, async (name) => {
    const answer = await api.exists(childOf(folder, name));
    if (answer.ok && answer.value) taken.add(name);
  });
  return taken;
}
