import type { TFunction } from "i18next";
import { childOf, type EntryPath } from "../../../shared/path.ts";
import type { Failure, Result } from "../../../shared/result.ts";
import { explain, reasonOf } from "../../base/api/reasons.ts";
import type { EditNotice, WayBack } from "./edit_notice.ts";
import type { SharedEdits } from "./shared_edits.ts";

/** The result of a change: the notice, without the share and the focus. */
type Outcome = Pick<EditNotice, "text" | "errors" | "undo">;

/** Moves entries of a folder to the owner's trash, one after the other. */
export async function discardAll(
  edits: SharedEdits,
  t: TFunction,
  { folder, names }: { folder: EntryPath; names: readonly string[] },
): Promise<Outcome> {
  const { undo, failures } = await each(names, async (name) => {
    const answer = await edits.discard(childOf(folder, name));
    return answer.ok ? { ...answer, value: { restore: answer.value } } : answer;
  });
  const text = undo.length > 0 ? t("share.trashed", { count: undo.length }) : "";
  return { text, undo, errors: explain(t, "delete", failures) };
}

/** Moves entries of a folder into another one of the share. */
export async function moveAll(
  edits: SharedEdits,
  t: TFunction,
  { folder, names, to }: { folder: EntryPath; names: readonly string[]; to: EntryPath },
): Promise<Outcome> {
  const { undo, failures } = await each(names, async (name) => {
    const from = childOf(folder, name);
    const answer = await edits.move(from, childOf(to, name));
    return answer.ok ? { ...answer, value: { from: answer.value, to: from } } : answer;
  });
  const text = undo.length > 0 ? t("toasts.move", { count: undo.length }) : "";
  return { text, undo, errors: explain(t, "move", failures) };
}

/** Takes changes back, the last first. */
export async function undoAll(
  edits: SharedEdits,
  t: TFunction,
  undo: readonly WayBack[],
): Promise<Outcome> {
  let amount = 0;
  const reasons = new Set<string>();
  for (const way of undo.toReversed()) {
    const answer = "restore" in way
      ? await edits.restore(way.restore)
      : await edits.move(way.from, way.to);
    if (answer.ok) amount++;
    else reasons.add(t("failures.undo", { reason: reasonOf(t, answer) }));
  }
  return { text: amount > 0 ? t("toasts.undone", { amount }) : "", undo: [], errors: [...reasons] };
}

async function each(names: readonly string[], change: (name: string) => Promise<Result<WayBack>>) {
  const undo: WayBack[] = [];
  const failures = new Map<string, Failure>();
  for (const name of names) {
    const answer = await change(name);
    if (answer.ok) undo.push(answer.value);
    // An entry that another user has taken away in between is gone as well.
    else if (answer.code !== "not_found") failures.set(name, answer);
  }
  return { undo, failures };
}
