import type { OpenFolder } from "../../disk/disk.ts";

/** How often a lock is asked for again that another program holds, in milliseconds. */
const retryMs = 1_000;

/**
 * Marks a folder as having an upload under way, by a shared lock on the folder itself: the system
 * drops it when the process dies, however it dies. A sweep wants the folder for itself, so it knows
 * which temporary files are leftovers.
 *
 * Uploads never wait for the lock: any program may hold one on any folder. While it does, no sweep
 * gets the folder either, and a sweep that has it spares what is newer than itself. A file system
 * without locks falls back on the age of the files.
 *
 * @param folder kept open by the caller for as long as it is held
 */
export function lockUploadFolder(folder: OpenFolder): Disposable {
  let timer: ReturnType<typeof setInterval> | undefined;
  if (!folder.lock("shared")) {
    timer = setInterval(() => {
      if (folder.lock("shared")) clearInterval(timer);
    }, retryMs);
  }
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
