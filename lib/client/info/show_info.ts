import type { ActionsOptions } from "../actions/actions.ts";
import type { Target } from "../actions/target.ts";

/** Shows what is known of entries; of the folder on screen when there are none. */
export async function showInfo(
  { listing, prompts }: ActionsOptions,
  target: Target,
): Promise<void> {
  const { folder, size, names } = target;
  const entries = size > 0
    ? target.known()
    : [listing.resource.peek()].filter((one) => one !== null);
  await prompts.open("info", { folder, names, entries, count: Math.max(1, size) });
}
