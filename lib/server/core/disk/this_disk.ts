import { type Disk, DiskError } from "./disk.ts";
import { libc } from "./libc.ts";
import { linuxDisk } from "./linux_disk.ts";
import { portableDisk } from "./portable_disk.ts";

/**
 * The best implementation for this machine. Descriptors are for Linux alone. macOS has `openat`
 * too, but it is variadic, which Deno's FFI cannot call: on Apple silicon variadic arguments are
 * passed on the stack, not in registers as on Linux, so a file would be created with an arbitrary
 * mode. The layouts of its structs are not verified by any test either. It gets the portable disk.
 */
export const disk: Disk = chooseDisk();

function chooseDisk(): Disk {
  if (!libc) return portableDisk();
  const best = linuxDisk(libc, "openat2");
  return hasOpenat2(best) ? best : linuxDisk(libc, "openat");
}

/** Kernels before 5.6 lack the call, and filters of containers may refuse it. */
function hasOpenat2(candidate: Disk): boolean {
  try {
    candidate.look("/");
    return true;
  } catch (error) {
    return !(error instanceof DiskError && ["ENOSYS", "EPERM"].includes(error.code));
  }
}
