import { setImmediate } from "node:timers/promises";
import { DomainError } from "../../errors.ts";
import type { Access } from "../../access/access.ts";
import { asRefusal } from "../../access/os_errors.ts";
import type { EntryPath } from "../../access/path.ts";
import type { WriteHandle } from "../../access/write_handle.ts";
import { runInSlices } from "../../walk/slices.ts";
import { Cargo } from "./cargo.ts";
import { finishFolders, syncFolder } from "./finish.ts";
import { entryAt, judgeMeeting, type Meeting, refuseInside } from "./meeting.ts";
import { numberedPath } from "./numbered_name.ts";
import { moveInOneStep } from "./one_step.ts";
import { actionOf, NameTaken, type TransferRequest } from "./request.ts";
import { removeOriginal, removeOriginals } from "./remove_originals.ts";
import { mergeFolder, settleFile, settleFolder } from "./settle.ts";

/** From the moment on at which names are taken, the work goes on to its end. */
const never = new AbortController().signal;

/**
 * Copies or moves an entry with all that is below it.
 *
 * Everything is judged before anything is done: at both ends, at every depth. A move within a disk
 * is one step. All else is made complete out of sight, and takes its name in one step; a move
 * deletes the originals after that. Until the names are taken, a failure or the caller's going
 * leaves all as it was.
 *
 * @returns the path that the entry has now
 * @throws {DomainError} `forbidden`, `not_found`, `exists`, `invalid_path`, `invalid_name`,
 * `not_a_file`, `not_supported`, `precondition_failed`, `disk_full`, `read_only`; and the signal's
 * reason
 */
export async function transfer(
  access: Access,
  request: TransferRequest,
  signal: AbortSignal,
): Promise<EntryPath> {
  const targets: WriteHandle[] = [];
  try {
    await using cargo = new Cargo(access, request, signal);
    return await deliverSomewhere(cargo, targets);
  } catch (error) {
    for (const target of targets.toReversed()) target.removeMadeParents();
    throw asRefusal(error, actionOf(request));
  }
}

/** @returns the first path that the entry could take */
async function deliverSomewhere(cargo: Cargo, targets: WriteHandle[]): Promise<EntryPath> {
  const { request, source, signal } = cargo;
  for (let number = 0;; number++) {
    const to = number === 0 ? request.to : numberedPath(request.to, number, source.isFolder);
    if (await takes(cargo, to, targets)) return to;
    await setImmediate();
    signal.throwIfAborted();
  }
}

/** Whether the entry could take a path; false when another name is to be tried. */
async function takes(cargo: Cargo, to: EntryPath, targets: WriteHandle[]): Promise<boolean> {
  try {
    await deliver(cargo, to, targets);
    return true;
  } catch (error) {
    if (cargo.request.rename && error instanceof NameTaken) return false;
    throw error;
  }
}

async function deliver(cargo: Cargo, to: EntryPath, targets: WriteHandle[]): Promise<void> {
  const { access, source, request, action } = cargo;
  const isCopy = request.action === "copy";
  const target = openTarget(cargo, to);
  refuseInside(source, target, action);
  const meeting = judgeMeeting(access, source, entryAt(access, to, isCopy), request);
  await cargo.lookThrough(isCopy || meeting === "merge");
  if (meeting !== "respell") await cargo.judgeAt(to);

  targets.push(target);
  target.makeParents();
  const canBeOneStep = !isCopy && meeting !== "merge";
  if (canBeOneStep && moveInOneStep(source, target, meeting, action)) return;
  if (canBeOneStep) {
    await cargo.lookThrough(true);
    await cargo.judgeAt(to);
  }
  await deliverCopy(cargo, target, meeting);
}

function openTarget({ access, request, action }: Cargo, to: EntryPath): WriteHandle {
  if (to === "/") {
    throw new DomainError("forbidden", `${action}: the destination is the root of the scope`);
  }
  if (request.action === "copy") return access.create(to);
  const target = access.receive(to);
  // To move something into folders that are not there is also to make them.
  if (target.lacksParents) access.need(action, "create");
  return target;
}

/** Makes the copy, lets it take its name, and deletes the originals of a move. */
async function deliverCopy(cargo: Cargo, target: WriteHandle, meeting: Meeting): Promise<void> {
  const { source, action, request } = cargo;
  const into = meeting === "merge" ? cargo.tree.into : null;
  const place = into ?? { real: target.folder, verify: () => target.verify() };
  const copy = await cargo.copyTo(place, meeting === "replace");
  if (copy.file && !copy.file.taken) {
    throw new DomainError("not_found", `${action}: it is not there`);
  }
  const isMove = request.action === "move";
  const { folder } = copy;

  place.verify();
  if (!folder) settleFile(copy.real, target.real, meeting === "replace", action);
  else if (into) await runInSlices(mergeFolder(folder, copy.real, action), never);
  else settleFolder(copy.real, target.real, action);

  // Within a disk, the system itself keeps the second names before the first ones go.
  const isSynced = isMove && Deno.lstatSync(target.folder).dev !== source.info.dev;
  if (folder) await runInSlices(finishFolders(folder, target.real, isSynced), never);
  if (!isMove) return;
  if (isSynced) syncFolder(target.folder);
  if (folder) await runInSlices(removeOriginals(folder.source, action), never);
  else if (copy.file) removeOriginal(source.real, copy.file, action);
}
