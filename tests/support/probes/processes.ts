/** What runs on this machine, whoever started it. */

/** A time for `sleep` that nobody else on the machine gives it, in seconds: to find it by. */
export function uniqueSleep(): string {
  return `${90_000 + Math.floor(Math.random() * 10_000)}.${Deno.pid}`;
}

/** How many processes `sleep` for that time. */
export function sleepers(seconds: string): number {
  let count = 0;
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const [program = "", time] = argumentsOf(name);
    if (/(^|\/)sleep$/.test(program) && time === seconds) count++;
  }
  return count;
}

/**
 * Waits until so many processes sleep for that time.
 *
 * @throws Error when it does not come to that
 */
export async function untilSleepers(seconds: string, count: number): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (sleepers(seconds) !== count) {
    if (Date.now() > deadline) {
      throw new Error(`${sleepers(seconds)} processes, not ${count}, sleep for ${seconds} s`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The processes below one, in any depth, that run a program. */
export function descendantsNamed(ancestor: number, program: string): number[] {
  const found = [...Deno.readDirSync("/proc")].flatMap(({ name }) => {
    if (!/^\d+$/.test(name)) return [];
    const [path = ""] = argumentsOf(name);
    return path.endsWith(`/${program}`) || path === program ? [Number(name)] : [];
  });
  return found.filter((pid) => {
    let at = pid;
    while (at > 1 && at !== ancestor) at = parentOf(at);
    return at === ancestor;
  });
}

function parentOf(pid: number): number {
  try {
    const [, parent] = Deno.readTextFileSync(`/proc/${pid}/stat`).replace(/^.*\) /, "").split(" ");
    return Number(parent);
  } catch {
    return 0; // It has ended.
  }
}

/** How much of the machine's memory a process holds, in bytes. */
export function residentBytes(pid: number): number {
  return statusBytes(pid, "VmRSS");
}

function argumentsOf(pid: string): string[] {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/cmdline`).split("\0");
  } catch {
    return []; // It has ended.
  }
}

/** Length of a tick of {@linkcode processorTime}, in milliseconds: 100 a second on all of Linux. */
const tickMs = 10;

/** Processor time that a process with all its threads has used so far, in milliseconds. */
export function processorTime(pid: number): number {
  return timeIn(`/proc/${pid}/stat`);
}

/** Processor time that the first thread of a process has used so far, in milliseconds, not in ticks. */
export function threadTime(pid: number): number {
  const [nanoseconds] = Deno.readTextFileSync(`/proc/${pid}/task/${pid}/schedstat`).split(" ");
  return Number(nanoseconds) / 1e6;
}

function timeIn(stat: string): number {
  const fields = Deno.readTextFileSync(stat).replace(/^.*\) /, "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** Most memory that a process has held since {@linkcode forgetPeak}, in bytes. */
export function peakBytes(pid: number): number {
  return statusBytes(pid, "VmHWM");
}

/** Has the peak of a process begin with what it holds now. */
export function forgetPeak(pid: number): void {
  Deno.writeTextFileSync(`/proc/${pid}/clear_refs`, "5");
}

function statusBytes(pid: number, name: "VmRSS" | "VmHWM"): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) * 1024;
}
