import type { Disk } from "./disk.ts";
import { DiskError } from "./disk_error.ts";
import { libc } from "./libc.ts";
import { linuxDisk } from "./linux_disk.ts";
import { portableDisk } from "./portable_disk.ts";

/** The disk of this machine, in the best way that it has. */
export const disk: Disk = chooseDisk();

function chooseDisk(): Disk {
  if (!libc) return portableDisk();
  const best = linuxDisk(libc, "openat2");
  return hasOpenat2(best) ? best : linuxDisk(libc, "openat");
}

/** Kernels before 5.6 do not know the call, and filters of containers may refuse it. */
function hasOpenat2(candidate: Disk): boolean {
  try {
    candidate.look("/");
    return true;
  } catch (error) {
    return !(error instanceof DiskError && ["ENOSYS", "EPERM"].includes(error.code));
  }
}
