import { DiskError } from "./disk_error.ts";
import { type Libc, libc } from "./libc.ts";
import { decodeName, encodeName } from "../../shared/entry_names.ts";
import { waitingDevices } from "./waiting_thread.ts";

/** A file system in its place. */
export interface Mount {
  /** The mount point: a real path. */
  point: string;
  /** Its device, `0:45`: mounts of one device answer or hang together. */
  device: string;
  /** The kind of file system: `nfs4`. */
  type: string;
}

/** A call was not made, as its thread must not wait for the disk that it is about. */
export class SlowDiskError extends DiskError {
  /** @param real the path that was asked for */
  constructor(readonly real: string) {
    super("ETIMEDOUT", "mountinfo");
  }
}

/**
 * The kinds whose calls end without another machine or another process having to answer. Whatever is
 * not among them may hang: networks, FUSE, and kinds that are not known here.
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
 * How long the table is relied on, in milliseconds. To read it takes a fraction of a millisecond. The
 * kernel would report what is mounted, but not that a folder above a mount point was renamed.
 */
const freshMs = 250;

const O_CLOEXEC = 0o2000000;
const AT_FDCWD = -100;
const tablePath = new TextEncoder().encode("/proc/self/mountinfo\0");

/**
 * The mounts of this system, as the kernel lists them (proc_pid_mountinfo(5)), and which of them this
 * thread must not touch. The list is of no use to other threads: each has its own, so that none
 * waits for another.
 */
export class Mounts {
  readonly #libc: Libc | null;
  readonly #waits: ReadonlySet<string> | "all";
  #readAt = -Infinity;
  #text = "";
  #all: Mount[] = [];
  #slow: Mount[] = [];
  #forbidden: Mount[] = [];

  /** @param waits the devices that this thread may wait for */
  constructor(library: Libc | null = libc, waits = waitingDevices()) {
    this.#libc = library;
    this.#waits = waits;
  }

  /** Whether the kernel tells of mounts here. */
  get isKnown(): boolean {
    this.#refresh();
    return this.#text !== "";
  }

  /** Mounts whose calls may hang. */
  get slow(): readonly Mount[] {
    this.#refresh();
    return this.#slow;
  }

  /**
   * The mounts that may hang and that a path leads into.
   *
   * @param reach `below` adds those below the path
   */
  concerning(real: string, reach: "entry" | "below"): Mount[] {
    return this.slow.filter(({ point }) =>
      isAtOrBelow(real, point) || (reach === "below" && isAtOrBelow(point, real))
    );
  }

  /** Whether something is mounted at a path. */
  isPoint(real: string): boolean {
    this.#refresh();
    return this.#all.some(({ point }) => point === real);
  }

  /**
   * Refuses a path that this thread must not touch.
   *
   * @throws SlowDiskError
   */
  assertQuick(real: string): void {
    this.#refresh();
    for (const { point } of this.#forbidden) {
      if (isAtOrBelow(real, point)) throw new SlowDiskError(real);
    }
  }

  /** The same for an entry of a folder that is open; goes by the table as it was when that was opened. */
  assertQuickChild(folder: string, name: string): void {
    for (const { point } of this.#forbidden) {
      const start = folder === "/" ? 0 : folder.length;
      const isChild = point.length === start + 1 + name.length && point.endsWith(name) &&
        point.startsWith(folder) && point[start] === "/";
      if (isChild) throw new SlowDiskError(point);
    }
  }

  /** Has the table read again at the next look: a folder was renamed, and mounts may be below it. */
  expire(): void {
    if (this.#slow.length > 0) this.#readAt = -Infinity;
  }

  #refresh(): void {
    const now = Date.now();
    // Clocks may be set back.
    if (now - this.#readAt < freshMs && now >= this.#readAt) return;
    this.#readAt = now;
    const bytes = this.#libc && readTable(this.#libc);
    // Without a descriptor to read it, the table that is known stays in force.
    const text = bytes ? decodeName(bytes) : this.#text;
    if (text === this.#text) return;
    this.#text = text;
    this.#all = parseMounts(text);
    this.#slow = this.#all.filter(({ type }) => !quickTypes.has(type));
    this.#forbidden = this.#waits === "all" ? [] : forbiddenAmong(this.#slow, this.#waits);
  }
}

/** The mounts of this system, as this thread may touch them. */
export const mounts = new Mounts();

/**
 * The mounts that a thread must not touch. One that may wait for an automounter may wait for what that
 * mounts: it comes into being by the call that waits.
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
 * Takes the lines of `mountinfo` apart. What is covered by another mount at the same point is left
 * out.
 *
 * @param text spelled as names are
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

/** No descriptor is kept: threads that end would leave it open. */
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
      const room = bytes.subarray(length);
      const count = Number(library.read(descriptor, room, BigInt(room.length)));
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
 * Waits on a thread until a mount answers, or says that it is out of order: either is an answer. One
 * that hangs does not settle.
 */
export async function awaitMount(point: string): Promise<void> {
  const path = encodeName(point);
  const name = new Uint8Array(path.length + 1);
  name.set(path);
  // statfs is not answered from a cache, as most other calls are.
  await libc?.statfsLater(name, new Uint8Array(256));
}
