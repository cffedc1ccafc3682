import { childOf, parsePath } from "../../shared/path.ts";
import type { Entry } from "../../shared/api_types.ts";
import type { ActionsOptions } from "./actions.ts";
import { eachAtOnce } from "../core/at_once.ts";
import { explain } from "../api/reasons.ts";
import type { Failure } from "../../shared/result.ts";
import type { Target } from "./target.ts";
import { namesFor } from "./action_helpers.ts";

/** The number of concurrent deletions. */
const AT_ONCE = 4;

/**
 * Asks for confirmation, then deletes entries; those that fail stay selected.
 *
 * @param successor the file to show when the open file is deleted; null for its folder
 */
export async function deleteSelection(
  options: ActionsOptions,
  target: Target,
  successor: Entry | null,
): Promise<void> {
  const { api, listing, prompts, tasks, toasts, t } = options;
  const { folder, size: count } = target;
  const shown = listing.path.peek();
  const only = count === 1 ? await target.names() : null;
  const input = only?.ok ? { count, name: only.value[0] } : { count };
  if (await prompts.open("delete", input) === null) return;

  const names = await namesFor(options, "delete", target);
  if (names === null) return;
  const failures = new Map<string, Failure>();
  let deleted = 0;
  await tasks.run({ action: "delete", total: names.length }, async ({ signal, step }) => {
    await eachAtOnce(names, AT_ONCE, async (name) => {
      const answer = await api.remove(childOf(folder, name), signal);
      step();
      if (answer.ok || answer.status === 404) deleted++;
      else if (answer.code !== "aborted") failures.set(name, answer);
    }, signal);
  });
  if (deleted > 0) toasts.success(t("toasts.deleted", { count: deleted }));
  for (const text of explain(t, "delete", failures)) toasts.error(text);
  if (listing.path.peek() !== shown) return;
  if (shown !== folder) {
    if (failures.size === 0) showNext(options, successor);
    return;
  }
  listing.selection.selectNames(failures.keys());
  await listing.reload();
}

function showNext({ listing, navigation }: ActionsOptions, successor: Entry | null): void {
  if (successor === null) return navigation.leave();
  listing.expect(successor);
  navigation.go(parsePath(successor.path).path, { folder: false, replace: true });
}
