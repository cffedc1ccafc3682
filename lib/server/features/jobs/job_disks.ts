import { unlessRefused } from "../../../shared/unless_refused.ts";
import { parentOf } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import { slowMountsOf } from "../../core/access/slow_mounts.ts";
import { mounts } from "../../core/disk/mounts.ts";
import { isBelow, realParent } from "../../core/disk/real_path.ts";
import { isWaitingThread } from "../../core/disk/waiting_thread.ts";
import type { Job, JobEntry } from "./job.ts";

/** Most folders whose disks a job notes. */
const maxFolders = 100;

/**
 * The disks below the root that the entries of a job come from and go to, by their mount points.
 * When one is unmounted, an empty folder is in its place: what went there would be out of sight
 * once the disk is back.
 */
export async function disksOf(
  access: Access,
  entries: AsyncIterable<JobEntry>,
): Promise<string[]> {
  const examples = new Map<string, JobEntry>();
  for await (const entry of entries) {
    examples.set(`${parentOf(entry.path)}\0${entry.to && parentOf(entry.to)}`, entry);
    if (examples.size === maxFolders) break;
  }
  const points = [...examples.values()].flatMap(({ path, to }) => [
    pointOf(() => realParent(access.copy(path).real)),
    to && pointOf(() => access.create(to).folder),
  ]);
  const { root } = access.spec;
  return [...new Set(points)].filter((point): point is string =>
    point !== null && point !== root && isBelow(point, root)
  );
}

/** Whether all of them are mounted now. */
export function areMounted(disks: readonly string[]): boolean {
  return disks.every((point) => mounts.isPointNow(point));
}

/** The mount points of the disks of an entry that this thread must not wait for. */
export function disksApart(access: Access, { path, to }: Pick<JobEntry, "path" | "to">): string[] {
  return [path, to].flatMap((each) => each === null ? [] : slowMountsOf(access, each, "below"))
    .map(({ point }) => point)
    .filter((point) => mounts.isForbidden(point));
}

/**
 * Whether a job may run in this thread. One that was started to wait for certain disks leaves all
 * other jobs to others: it may hang.
 */
export function mayRunHere({ slow = [] }: Job): boolean {
  return !slow.some((point) => mounts.isForbidden(point)) &&
    (slow.length > 0 || !isWaitingThread());
}

/** The mount points of the disks that this thread was started to wait for. */
export function awaitedDisks(): string[] {
  return isWaitingThread()
    ? mounts.slow.map(({ point }) => point).filter((point) => !mounts.isForbidden(point))
    : [];
}

function pointOf(folder: () => string): string | null {
  return unlessRefused(() => mounts.pointOf(folder()));
}
