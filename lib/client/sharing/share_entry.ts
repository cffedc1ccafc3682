import { childOf } from "../../shared/path.ts";
import type { ActionsOptions } from "../actions/actions.ts";
import { reasonOf } from "../api/reasons.ts";
import type { Target } from "../actions/target.ts";

/** Shows the links to one entry, and makes new ones. */
export async function shareEntry(
  { prompts, toasts, t }: ActionsOptions,
  target: Target,
): Promise<void> {
  const names = await target.names();
  if (!names.ok) return toasts.error(reasonOf(t, names));
  const [name] = names.value;
  if (name === undefined) return;
  await prompts.open("share", { path: childOf(target.folder, name), name });
}
