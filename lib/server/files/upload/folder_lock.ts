import type { OpenFolder } from "../../core/disk/disk.ts";

/** Retry interval for a lock that another program holds, in milliseconds. */
const retryMs = 1_000;

/**
 * Marks a folder as having an upload under way, by a shared lock on the folder itself: the system
 * drops it when the process dies, however it dies. A sweep locks the folder exclusively, so it
 * knows which temporary files are leftovers.
 *
 * Uploads never wait for the lock: any program may hold one on any folder. Meanwhile no sweep gets
 * the folder either, and a sweep that has it skips files newer than itself. On a file system
 * without locks the age of the files decides.
 *
 * @param folder the caller keeps it open as long as the lock is held
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
