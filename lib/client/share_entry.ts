import { childOf } from "../access/path.ts";
import type { ActionsOptions } from "./actions.ts";
import { onlyName, readTarget } from "./target.ts";

/** Shows the links to the one selected entry, and makes new ones. */
export async function shareEntry({ listing, prompts }: ActionsOptions): Promise<void> {
  const target = await readTarget(listing);
  const name = onlyName(listing) ?? (target.ok ? target.value.names[0] : undefined);
  if (!target.ok || name === undefined) return;
  await prompts.open("share", { path: childOf(target.value.folder, name), name });
}
