/** What runs on this machine, whoever started it. */

/** Arguments of `sleep` that no other process on the machine has: to find it by. */
export function uniqueSleep(): string {
  return `${90_000 + Math.floor(Math.random() * 10_000)}.${Deno.pid}`;
}

/** How many processes have been started with this argument. */
export function processesWith(argument: string): number {
  let count = 0;
  for (const { name } of Deno.readDirSync("/proc")) {
    if (/^\d+$/.test(name) && argumentsOf(name).includes(argument)) count++;
  }
  return count;
}

/**
 * Waits until so many processes have that argument.
 *
 * @throws Error when it does not come to that
 */
export async function untilProcesses(argument: string, count: number): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (processesWith(argument) !== count) {
    if (Date.now() > deadline) {
      throw new Error(`${processesWith(argument)} processes, not ${count}, have "${argument}"`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function argumentsOf(pid: string): string[] {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/cmdline`).split("\0");
  } catch {
    return []; // It has ended.
  }
}
