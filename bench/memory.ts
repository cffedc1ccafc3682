import { processorTime } from "../tests/support/probes/processes.ts";
import { atMost, type Row } from "./table.ts";
import type { Setup } from "./set_up.ts";

/** The most that the server may hold through a part, in MB; other parts have no target. */
const limits: Record<string, number> = {
  requests: 200,
  listing: 200,
  download: 200,
  upload: 200,
  "small-uploads": 200,
  archives: 250,
};

/** Parts in which nothing is asked of the servers of the set-up. */
const without = /^(slow-readers|start|screen|nodes|peers|growth-.*)$/;

/** Forgets the servers' peaks so far, before a part. */
export function forgetPeaks({ one, many }: Setup): void {
  for (const { server } of [one, many]) {
    for (const pid of processTree(server.pid)) {
      Deno.writeTextFileSync(`/proc/${pid}/clear_refs`, "5");
    }
  }
}

/**
 * The most memory that the servers held through a part: the peaks of their processes, the launcher's
 * too, added up. What earlier parts left behind counts, as it does for a server that runs for days.
 */
export function peakMemory(part: string, { one, many }: Setup): Row[] {
  if (without.test(part)) return [];
  return [one, many].map(({ name, server }, index) => {
    const peak = processTree(server.pid).reduce((sum, pid) => sum + peakOf(pid), 0) / 1024;
    const limit = index === 0 ? limits[part] : undefined;
    return {
      what: `peak memory through ${part}, ${name}`,
      cubby: `${peak.toFixed(0)} MB`,
      target: limit === undefined ? undefined : atMost(peak, limit, `${limit} MB`),
    };
  });
}

/** A file about a thread; empty when that has ended meanwhile. */
function unlessEnded(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

/** The process and all that descends from it. */
function processTree(pid: number): number[] {
  const children = [...Deno.readDirSync(`/proc/${pid}/task`)].flatMap(({ name }) =>
    unlessEnded(`/proc/${pid}/task/${name}/children`).split(" ").filter(Boolean)
  );
  return [pid, ...children.map(Number).flatMap(processTree)];
}

/**
 * The memory of a process and its descendants, in MB.
 *
 * @param kind whether pages that several processes share count in part (PSS) or in full
 */
export function memoryOf(pid: number, kind: "Pss" | "Rss" = "Pss"): number {
  const sizes = processTree(pid).map((each) => {
    const rollup = Deno.readTextFileSync(`/proc/${each}/smaps_rollup`);
    return Number(new RegExp(`^${kind}:\\s+(\\d+)`, "m").exec(rollup)?.[1] ?? NaN);
  });
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

/** The processor time that a process and its descendants have used so far, in milliseconds. */
export function processorTimeOf(pid: number): number {
  return processTree(pid).reduce((sum, each) => sum + processorTime(each), 0);
}

/** The memory that a server holds right now, in MB: the process that the launcher became. */
export function residentMemory({ pid }: { pid: number }): number {
  return statusOf(pid, "VmRSS") / 1024;
}

/** How many descriptors a server has open: the process that the launcher became. */
export function openDescriptors({ pid }: { pid: number }): number {
  return [...Deno.readDirSync(`/proc/${pid}/fd`)].length;
}

/** In KiB. */
function peakOf(pid: number): number {
  return statusOf(pid, "VmHWM");
}

function statusOf(pid: number, name: "VmRSS" | "VmHWM"): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? NaN);
}
