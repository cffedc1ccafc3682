import { DomainError } from "../../shared/errors.ts";
import { removeEmptyFolder } from "../files/transfer/remove_originals.ts";
import { moveEntry } from "../files/transfer/start_transfer.ts";
import { transferHooks } from "../hooks/hooks.ts";
import type { Step } from "./job.ts";
import { type EntryContext, hookedBy, recordActivity } from "./job_context.ts";
import { recoverTransfer, resumableBy, trashedSince } from "./run_entry.ts";

/**
 * Undoes one step of a job, if the entry is still the one that it was about. Nothing is lost by it:
 * what had come goes to the trash, what was replaced meanwhile stays.
 *
 * @param isUnsure whether it was begun by a run that was killed, and may be done
 * @throws {DomainError} `precondition_failed` for another entry; `exists` when the former place is
 * taken; `not_found`, `forbidden`, `no_trash`
 */
export async function undoStep(
  context: EntryContext,
  step: Step,
  isUnsure: boolean,
): Promise<void> {
  if (step.kind === "moved") await moveBack(context, step, isUnsure);
  else if (step.kind === "arrived") await takeAway(context, step, isUnsure);
  else if (step.kind === "made") await removeMade(context, step);
  else if (step.kind === "trashed") await restore(context, step.id, false);
}

async function moveBack(
  context: EntryContext,
  { from, to, ino, version }: Extract<Step, { kind: "moved" }>,
  isUnsure: boolean,
): Promise<void> {
  const { cubby: { transferWorker, observers }, access, signal } = context;
  const isBack = isUnsure && await recoverTransfer(context, { path: to, to: from }, "move");
  if (!isBack) {
    const { info } = access.rename(to);
    if (info.ino !== ino) throw replacedError(to);
    const hooks = transferHooks(access, "move", to, from);
    const terms = { override: false, rename: false, signal, observers };
    const options = { ...terms, ...resumableBy(context) };
    await hookedBy(context, hooks, () => moveEntry(access, transferWorker, to, from, options));
  }
  if (version !== undefined) await restore(context, version, false);
}

async function takeAway(
  context: EntryContext,
  { to: path, ino, version }: Extract<Step, { kind: "arrived" }>,
  isUnsure: boolean,
): Promise<void> {
  const { cubby: { trash }, access, job, current, signal } = context;
  const isThere = access.create(path).existing?.info.ino === ino;
  if (version === undefined) {
    if (isUnsure && !isThere && await trashedSince(trash, job.userId, current)) return;
    const file = () => access.remove(path).real;
    await hookedBy(
      context,
      { event: "delete", action: "trash", access, path, file },
      async () => void await trash.discard(access, job.userId, path, signal, ino),
    );
    return;
  }
  if (!isThere && current.version !== version) throw replacedError(path);
  await restore(context, version, true);
}

/** Restores an entry of the trash, unless a run that was killed has done so. */
async function restore(context: EntryContext, id: string, replaces: boolean): Promise<void> {
  const { cubby, access, job: { userId }, current, save } = context;
  const wasBegun = current.version === id;
  try {
    await cubby.trash.records.get(userId, id);
    if (!wasBegun) await save({ version: id });
    const path = await cubby.trash.restore(access, userId, id, replaces);
    cubby.notifyChanged(access, path);
    recordActivity(context, "restore", path);
  } catch (error) {
    const isGone = error instanceof DomainError && error.code === "not_found";
    if (!(isGone && wasBegun)) throw error;
  }
}

/** Removes a folder that was made for uploads, unless something else has come into it. */
async function removeMade(
  context: EntryContext,
  { to, ino }: Extract<Step, { kind: "made" }>,
): Promise<void> {
  const { cubby, access } = context;
  const source = access.remove(to);
  if (source.info.ino !== ino) throw replacedError(to);
  await cubby.observers.removing(source, () => {
    if (removeEmptyFolder(source.real)) return Promise.resolve();
    throw new DomainError("precondition_failed", `Cannot undo it: "${to}" is not empty`);
  });
  cubby.notifyChanged(access, to);
  recordActivity(context, "delete", to);
}

function replacedError(path: string): DomainError {
  const text = `Cannot undo it: the entry at "${path}" was replaced or removed`;
  return new DomainError("precondition_failed", text);
}
