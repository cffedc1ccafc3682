import { join } from "node:path";
import type { HostedProgram } from "../../../commands/hosted_program.ts";

/** Interval of the checks how much of the disk a program takes, in milliseconds. */
const diskCheckMs = 250;

/** Most files and folders that a program may make. */
const maxScratchEntries = 10_000;

/**
 * Kills a program once its files take more of the disk than they may: the limits of the kernel hold
 * for each file alone. Ends with the block that holds it.
 *
 * @param maxBytes for all files below the folder
 */
export function watchDisk(
  program: Pick<HostedProgram, "stop">,
  folder: string,
  maxBytes = Infinity,
): Disposable {
  const timer = setInterval(() => {
    if (exceeds(folder, maxBytes)) program.stop("output");
  }, diskCheckMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Whether a folder takes more of the disk, or has more entries, than it may. */
function exceeds(folder: string, maxBytes: number): boolean {
  const folders = [folder];
  let [bytes, entries] = [0, 0];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    try {
      for (const { name, isDirectory } of Deno.readDirSync(at)) {
        const path = join(at, name);
        if (isDirectory) folders.push(path);
        else bytes += bytesOf(path);
        if (++entries > maxScratchEntries || bytes > maxBytes) return true;
      }
    } catch {
      // Removed meanwhile.
    }
  }
  return false;
}

/** The room that a file takes on the disk. */
function bytesOf(path: string): number {
  const { blocks, size } = Deno.lstatSync(path);
  return blocks === null ? size : blocks * 512;
}
