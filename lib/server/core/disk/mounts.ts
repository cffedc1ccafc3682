import { DiskError } from "./disk.ts";
import { type Libc, libc } from "./libc.ts";
import { decodeName, encodeName } from "../../../shared/entry_names.ts";
import { waitingDevices } from "./waiting_thread.ts";

/** A mounted file system. */
export interface Mount {
  /** The mount point: a real path. */
  point: string;
  /** Its device, `0:45`: mounts of one device respond or hang together. */
  device: string;
  /** The kind of file system: `nfs4`. */
  type: string;
}

/** A call was refused, since its thread must not wait for that disk. */
export class SlowDiskError extends DiskError {
  /** @param real the requested path */
  constructor(readonly real: string) {
    super("ETIMEDOUT", "mountinfo");
  }
}

/**
 * The kinds whose calls end without a response of another machine or process. All others may hang:
 * networks, FUSE, and unknown kinds.
 */
const quickTypes = new Set([
  ...["ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "bcachefs", "jfs", "reiserfs"],
  ...["nilfs2", "erofs", "hfs", "hfsplus", "ntfs", "ntfs3", "vfat", "msdos", "exfat", "udf"],
  ...["iso9660", "squashfs", "cramfs", "romfs", "minix", "ufs", "affs", "apfs"],
  ...["overlay", "aufs", "tmpfs", "ramfs", "rootfs", "devtmpfs", "hugetlbfs"],
  // The kernel itself.
  ...["proc", "sysfs", "devpts", "mqueue", "cgroup", "cgroup2", "debugfs", "tracefs", "configfs"],
  ...["securityfs", "selinuxfs", "smackfs", "pstore", "efivarfs", "bpf", "fusectl", "nsfs"],
  ...["binder", "binfmt_misc", "rpc_pipefs", "nfsd", "resctrl", "pipefs", "sockfs"],
]);

/**
 * Lifetime of the cached table, in milliseconds. Reading it takes a fraction of a millisecond. The
 * kernel reports new mounts, but not that a folder above a mount point was renamed.
 */
const freshMs = 250;

const O_CLOEXEC = 0o2000000;
const POLLPRI = 2;
const AT_FDCWD = -100;
const tablePath = new TextEncoder().encode("/proc/self/mountinfo\0");

/**
 * The mounts of this system, as the kernel lists them (proc_pid_mountinfo(5)), and which of them
 * this thread must not touch. Each thread has its own list, so that none waits for another.
 */
export class Mounts {
  readonly #libc: Libc | null;
  readonly #waits: ReadonlySet<string> | "all";
  #readAt = -Infinity;
  /** `struct pollfd` of the table that is kept open. */
  #watched: Int32Array<ArrayBuffer> | null = null;
  #polledAt = -Infinity;
  /** Mounts may have come or gone since the table was read. */
  #isStale = true;
  #text = "";
  #all: Mount[] = [];
  #slow: Mount[] = [];
  #forbidden: Mount[] = [];

  /** @param waits the devices that this thread may wait for */
  constructor(library: Libc | null = libc, waits = waitingDevices()) {
    this.#libc = library;
    this.#waits = waits;
  }

  /**
   * Keeps the table open, so that the kernel reports new mounts: for threads that last as long as
   * the process, as nothing closes it. While no mount may hang, the table is then not read again
   * to find those that may.
   */
  watch(): void {
    const descriptor = this.#watched ? -1 : this.#libc?.openat(AT_FDCWD, tablePath, O_CLOEXEC, 0);
    if (descriptor === undefined || descriptor < 0) return;
    this.#watched = Int32Array.of(descriptor, POLLPRI);
    this.#isStale = true;
  }

  /** Whether the kernel lists mounts here. */
  get isKnown(): boolean {
    this.#refresh();
    return this.#text !== "";
  }

  /** Mounts whose calls may hang. */
  get slow(): readonly Mount[] {
    this.#refreshSlow();
    return this.#slow;
  }

  /**
   * The mounts that may hang and that a path leads into.
   *
   * @param depth `below` adds those below the path
   */
  concerning(real: string, depth: "entry" | "below"): Mount[] {
    return this.slow.filter(({ point }) =>
      isAtOrBelow(real, point) || (depth === "below" && isAtOrBelow(point, real))
    );
  }

  /** The mount point that a path lies on: its own, or the nearest above. */
  pointOf(real: string): string {
    this.#refresh();
    return this.#all.reduce(
      (nearest, { point }) =>
        point.length > nearest.length && isAtOrBelow(real, point) ? point : nearest,
      "/",
    );
  }

  /** Whether something is mounted below a path, or at it, as of now: the table is read again. */
  isAbovePointNow(real: string): boolean {
    this.#readAt = -Infinity;
    this.#refresh();
    return this.#all.some(({ point }) => isAtOrBelow(point, real));
  }

  /** Whether something is mounted at a path. */
  isPoint(real: string): boolean {
    this.#refresh();
    return this.#all.some(({ point }) => point === real);
  }

  /** The same as of now: the table is read again. */
  isPointNow(real: string): boolean {
    this.#readAt = -Infinity;
    return this.isPoint(real);
  }

  /** Whether this thread must not touch the mount at a point. */
  isForbidden(point: string): boolean {
    this.#refreshSlow();
    return this.#forbidden.some((mount) => mount.point === point);
  }

  /**
   * Refuses a path that this thread must not touch.
   *
   * @throws SlowDiskError
   */
  assertQuick(real: string): void {
    this.#refreshSlow();
    for (const { point } of this.#forbidden) {
      if (isAtOrBelow(real, point)) throw new SlowDiskError(real);
    }
  }

  /** The same for an entry of an open folder; uses the table of the time when that was opened. */
  assertQuickChild(folder: string, name: string): void {
    for (const { point } of this.#forbidden) {
      const start = folder === "/" ? 0 : folder.length;
      const isChild = point.length === start + 1 + name.length && point.endsWith(name) &&
        point.startsWith(folder) && point[start] === "/";
      if (isChild) throw new SlowDiskError(point);
    }
  }

  /** Invalidates the table when there are mounts below a path, which was renamed. */
  expire(real: string): void {
    if (this.#slow.some(({ point }) => isAtOrBelow(point, real))) this.#readAt = -Infinity;
  }

  /** Updates the mounts that may hang. Without any, a renamed folder cannot have moved one. */
  #refreshSlow(): void {
    if (this.#watched && this.#libc && !this.#isStale && !isFresh(this.#polledAt)) {
      this.#polledAt = Date.now();
      this.#isStale = this.#libc.poll(this.#watched, 1n, 0) !== 0;
    }
    if (this.#slow.length > 0 || this.#isStale) this.#refresh();
  }

  #refresh(): void {
    if (isFresh(this.#readAt)) return;
    this.#readAt = Date.now();
    const bytes = this.#libc && readTable(this.#libc);
    if (bytes && this.#watched) this.#isStale = false;
    // Without a free descriptor to read it, the cached table stays in use.
    const text = bytes ? decodeName(bytes) : this.#text;
    if (text === this.#text) return;
    this.#text = text;
    this.#all = parseMounts(text);
    this.#slow = this.#all.filter(({ type }) => !quickTypes.has(type));
    this.#forbidden = this.#waits === "all" ? [] : forbiddenAmong(this.#slow, this.#waits);
  }
}

/** The mounts of this system, for this thread. */
export const mounts = new Mounts();

/**
 * The mounts that a thread must not touch. A thread that may wait for an automounter may also wait
 * for the file system that it mounts, which appears during the call that waits.
 *
 * @param waits the devices that the thread may wait for
 */
export function forbiddenAmong(slow: Mount[], waits: ReadonlySet<string>): Mount[] {
  const automounters = slow.filter(({ type, device }) => type === "autofs" && waits.has(device));
  return slow.filter(({ device, point }) =>
    !waits.has(device) && !automounters.some((above) => isAtOrBelow(point, above.point))
  );
}

/**
 * Parses the lines of `mountinfo`. Mounts covered by another at the same point are left out.
 *
 * @param text encoded as names are
 */
export function parseMounts(text: string): Mount[] {
  const byPoint = new Map<string, Mount>();
  for (const line of text.split("\n")) {
    const fields = line.split(" ");
    const [, , device, , point] = fields;
    const type = fields[fields.indexOf("-", 6) + 1];
    if (device === undefined || point === undefined || type === undefined) continue;
    const path = decodePath(point);
    byPoint.set(path, { point: path, device, type });
  }
  return [...byPoint.values()];
}

/** Spaces, tabs, line ends and backslashes of a path are written in octal. */
function decodePath(text: string): string {
  return text.replace(
    /\\([0-7]{3})/g,
    (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)),
  );
}

/** Clocks may be set back. @param time of a check, in milliseconds since 1970 */
function isFresh(time: number): boolean {
  const now = Date.now();
  return now - time < freshMs && now >= time;
}

/** Opened for each reading: a thread that ends would leave the descriptor open. */
function readTable(library: Libc): Uint8Array | null {
  const descriptor = library.openat(AT_FDCWD, tablePath, O_CLOEXEC, 0);
  if (descriptor < 0) return null;
  try {
    let bytes = new Uint8Array(16 * 1024);
    for (let length = 0;;) {
      if (length === bytes.length) {
        const larger = new Uint8Array(2 * length);
        larger.set(bytes);
        bytes = larger;
      }
      const buffer = bytes.subarray(length);
      const count = Number(library.read(descriptor, buffer, BigInt(buffer.length)));
      if (count < 0) return null;
      if (count === 0) return bytes.subarray(0, length);
      length += count;
    }
  } finally {
    library.close(descriptor);
  }
}

function isAtOrBelow(path: string, point: string): boolean {
  return path.startsWith(point) &&
    (path.length === point.length || path[point.length] === "/" || point === "/");
}

/**
 * Waits on a thread of the pool until a mount responds, be it by an error. While it hangs, the
 * promise is pending.
 */
export async function awaitMount(point: string): Promise<void> {
  const path = encodeName(point);
  const name = new Uint8Array(path.length + 1);
  name.set(path);
  // Unlike most other calls, statfs is not answered from a cache.
  await libc?.statfsLater(name, new Uint8Array(256));
}
