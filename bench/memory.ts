import { atMost, type Row } from "./table.ts";
import type { Stage } from "./stage.ts";

/**
 * The most memory that the server held since it started: the peaks of its processes, the launcher's
 * too, added up. Comes last, after all the work.
 */
export function measureMemory({ one, many }: Stage): Row[] {
  return [one, many].map(({ name, server }, index) => {
    const peak = processTree(server.pid).reduce((sum, pid) => sum + peakOf(pid), 0) / 1024;
    return {
      what: `peak memory through all of it, ${name}`,
      cubby: `${peak.toFixed(0)} MB`,
      target: index === 0 ? atMost(peak, 200, "200 MB") : undefined,
    };
  });
}

/** The process and all that descends from it. */
function processTree(pid: number): number[] {
  const children = [...Deno.readDirSync(`/proc/${pid}/task`)].flatMap(({ name }) =>
    Deno.readTextFileSync(`/proc/${pid}/task/${name}/children`).split(" ").filter(Boolean)
  );
  return [pid, ...children.map(Number).flatMap(processTree)];
}

/** In KiB. */
function peakOf(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(Deno.readTextFileSync(`/proc/${pid}/status`))?.[1] ?? NaN);
}
