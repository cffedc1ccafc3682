import type { EntryPath } from "../../../shared/path.ts";
import { DomainError } from "../../../shared/errors.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import { SERVER } from "../../core/access/viewer.ts";
import { type OwnEntries, walkOwn } from "../../core/access/walk_own.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import type { OpenFolder } from "../../core/disk/disk.ts";
import type { Facts } from "../../core/disk/facts.ts";
import { removeTree } from "../../files/remove_tree.ts";
import { certainlyDeadMs, clockGrainMs } from "../../files/upload/temporaries.ts";
import { UploadParts } from "../../files/upload/upload_parts.ts";
import { JobRecords } from "../../features/jobs/job_records.ts";
import type { CheckContext, Finding } from "./finding.ts";

/**
 * Walks the whole root for temporary files and folders that killed processes have left, also where
 * no record leads to them.
 *
 * @returns the folders at the top of a disk that have a trash
 */
export async function* checkLeftovers(context: CheckContext): AsyncGenerator<Finding, EntryPath[]> {
  const tops: EntryPath[] = [];
  for (const found of walkOwn(context.gate.spec())) {
    if ("leftOut" in found) {
      yield { what: `folder "${found.leftOut}": ${found.reason}`, repair: "not checked" };
      continue;
    }
    if (found.trash === "at_top") tops.push(found.folder);
    if (found.trash === "elsewhere") {
      yield {
        what: `folder "${found.folder}": holds a trash, but is not the top of a disk`,
        repair: "not checked",
      };
    }
    if (found.temporaries.length > 0) yield* checkFolder(context, found);
  }
  return tops;
}

/** The folder stays locked until each of its leftovers is mended: no upload can hold it meanwhile. */
async function* checkFolder(
  { gate, store, startedAt }: CheckContext,
  { folder: path, temporaries }: Exclude<OwnEntries, { leftOut: EntryPath }>,
): AsyncGenerator<Finding, void> {
  using folder = openIfThere(() => gate.enter(SERVER).folder(path).open());
  if (!folder) return;
  const isIdle = folder.lock("exclusive");
  const before = startedAt - (isIdle ? clockGrainMs : certainlyDeadMs);
  // Listed after the lock: an upload or a job that rests has its record by then.
  const parts = (await new UploadParts(store).list()).filter((part) => part.folder === path);
  const staging = await new JobRecords(store).stagings();
  const resting = new Set([...parts.map(({ name }) => name), ...staging]);
  for (const name of temporaries) {
    const info = folder.look(name);
    if (!info?.isFile && !info?.isDirectory) continue;
    if (resting.has(name) || changedAt(info) >= before) continue;
    const since = new Date(changedAt(info)).toISOString().slice(0, 10);
    yield {
      what: `folder "${path}": ${name} is a leftover of an upload or a copy from ${since}`,
      repair: async () => {
        await removeTree(folder, name, new Pauses());
        return true;
      },
    };
  }
}

/** Its last change; an upload may give its file an older time, but not an older `ctime`. */
function changedAt({ mtime, ctime }: Facts): number {
  return Math.max(mtime?.getTime() ?? 0, ctime?.getTime() ?? 0);
}

function openIfThere(open: () => OpenFolder): OpenFolder | null {
  try {
    return open();
  } catch (error) {
    if (asRefusal(error, "Cannot look") instanceof DomainError) return null;
    throw error;
  }
}
