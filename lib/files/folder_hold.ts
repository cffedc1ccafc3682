import type { RealPath } from "../access/real_path.ts";

/**
 * Marks a folder as having an upload under way, by a shared lock on the folder itself: the system
 * drops it when the process dies, however it dies. A sweep wants the folder for itself, so it knows
 * which temporary files are leftovers.
 *
 * Never waits and never fails: a file system without locks falls back on the age of the files.
 */
export function holdFolder(folder: RealPath): AsyncDisposable {
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(folder, { read: true });
  } catch {
    return { [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  // A sweep that has the folder right now spares what is newer than itself; the lock comes after.
  const locked = lock(file);
  return {
    async [Symbol.asyncDispose]() {
      await locked;
      file.close();
    },
  };
}

/**
 * Takes a folder for a sweep.
 *
 * @returns null while an upload is under way, or where there are no locks
 */
export function seizeFolder(folder: RealPath): Disposable | null {
  let file: Deno.FsFile | null = null;
  try {
    file = Deno.openSync(folder, { read: true });
    if (file.tryLockSync(true)) return file;
  } catch {
    // No such folder, or no locks.
  }
  file?.close();
  return null;
}

async function lock(file: Deno.FsFile): Promise<void> {
  try {
    if (!file.tryLockSync(false)) await file.lock(false);
  } catch {
    // No locks on this file system.
  }
}
