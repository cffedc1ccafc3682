import type { Disk } from "./disk.ts";
import type { Libc } from "./libc.ts";
import { AT_FDCWD, folderFlags, LinuxCalls } from "./linux_calls.ts";
import { LinuxFolder } from "./linux_folder.ts";
import { mounts } from "./mounts.ts";

/**
 * The disk of a Linux system through its C library.
 *
 * @param kind `openat2` has the kernel refuse links (Linux 5.6); `openat` opens a path component by
 * component, for older kernels and containers whose filters do not know that call
 */
export function linuxDisk(libc: Libc, kind: "openat2" | "openat"): Disk {
  const calls = new LinuxCalls(libc, kind);
  return {
    kind,
    look(real) {
      mounts.assertQuick(real);
      return calls.look(real);
    },
    folder(real) {
      mounts.assertQuick(real);
      return new LinuxFolder(calls, calls.openPath(AT_FDCWD, real, folderFlags), real);
    },
  };
}
