/** Small disks in memory, mounted for real: full, out of inodes, or another than the root's. */

import { ensurePrograms } from "../run/debian.ts";

/** Where disks are mounted: they are not left behind when a test ends otherwise than by its end. */
const points = new Set<string>();
addEventListener("unload", () => {
  for (const point of points) new Deno.Command("umount", { args: ["-l", point] }).outputSync();
});

/** The size of an old disk, in bytes. */
const oldDiskBytes = 8 * 1024 * 1024;

/** A disk that is mounted until the block that holds it ends. */
export interface MemoryDisk extends AsyncDisposable {
  path: string;
}

/**
 * Mounts an empty disk on a folder.
 *
 * @param options of tmpfs: `size=2m,nr_inodes=64`
 * @throws Error where nobody may mount, which fails the test: without a disk it proves nothing
 */
export async function mountMemory(path: string, options: string): Promise<MemoryDisk> {
  await run("mount", "-t", "tmpfs", "-o", options, "cubby-test", path);
  points.add(path);
  const dispose = async () => {
    if (points.delete(path)) await run("umount", "-l", path);
  };
  return { path, [Symbol.asyncDispose]: dispose };
}

async function run(command: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, { args }).output();
  const why = new TextDecoder().decode(stderr).trim();
  if (!success) throw new Error(`Cannot ${command} a disk, which wants the superuser: ${why}`);
}

/**
 * Mounts an empty disk that has no birth times and uses inodes again at once: ext2 with small inodes.
 *
 * @param image the path of its image, which is gone after the block
 * @throws Error as {@linkcode mountMemory}
 */
export async function mountOldDisk(path: string, image: string): Promise<MemoryDisk> {
  await ensurePrograms({ "mkfs.ext2": "e2fsprogs" }, "old disks");
  using file = await Deno.create(image);
  await file.truncate(oldDiskBytes);
  await run("mkfs.ext2", "-q", "-F", "-I", "128", image);
  await run("mount", "-o", "loop", image, path);
  points.add(path);
  const dispose = async () => {
    if (points.delete(path)) await run("umount", path);
    await Deno.remove(image);
  };
  return { path, [Symbol.asyncDispose]: dispose };
}
