/** Which processes have a file open: what a server that let go of it has not. */
import assert from "node:assert/strict";

/** How many times any process that we may look into has the file open. */
export function timesOpen(path: string): number {
  let times = 0;
  for (const { name: process } of Deno.readDirSync("/proc")) {
    if (/^\d+$/.test(process)) times += timesIn(`/proc/${process}/fd`, path);
  }
  return times;
}

/** Waits until nobody has the file open any more: a server notices a dead line a moment later. */
export async function becomesClosed(path: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (timesOpen(path) > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.equal(timesOpen(path), 0);
}

function timesIn(descriptors: string, path: string): number {
  try {
    const names = [...Deno.readDirSync(descriptors)];
    return names.filter(({ name }) => leadsTo(`${descriptors}/${name}`, path)).length;
  } catch {
    return 0; // The process has ended, or is somebody else's.
  }
}

function leadsTo(descriptor: string, path: string): boolean {
  try {
    return Deno.readLinkSync(descriptor) === path;
  } catch {
    return false; // Closed since the folder was read.
  }
}
