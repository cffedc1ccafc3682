/** The tests' temporary files on a disk in memory. */

/** A program and its arguments. */
export type Program = [path: string, ...args: string[]];

/** What must be free: the tests hold 600 MB at once, and as many servers and browsers as run. */
const neededBytes = 8 * 2 ** 30;

/** Mounts the disk on the folder that comes first, and becomes the program that follows. */
const script = 'mount -t tmpfs -o size=50% cubby-test "$0" && TMPDIR="$0" exec "$@"';

/**
 * Gives a program a disk in memory for temporary files, where the system allows that: on ext4, each
 * new file costs a look at the inodes that were deleted lately, which is most of the time of tests
 * that make and remove thousands. The disk is there for the program and its children alone, and
 * gone when they have ended.
 *
 * @param folder an empty folder, as the mount point
 * @returns what to start instead: the same program where a disk is not possible
 */
export function inMemory(folder: string, program: Program): Program {
  const isPossible = Deno.build.os === "linux" && Deno.uid() === 0 &&
    Deno.systemMemoryInfo().available > neededBytes && mayMount(folder);
  return isPossible ? ["unshare", "--mount", "sh", "-c", script, folder, ...program] : program;
}

/** In a container the superuser mostly may not. */
function mayMount(folder: string): boolean {
  const args = ["--mount", "sh", "-c", script, folder, "true"];
  try {
    return new Deno.Command("unshare", { args, stderr: "null" }).outputSync().success;
  } catch {
    return false;
  }
}
