import { DiskError } from "./disk_error.ts";
import { type Libc, libc } from "./libc.ts";
import { decodeName, encodeName } from "./names.ts";
import { waitingDevices } from "./waiting_thread.ts";

/** A file system in its place. */
export interface Mount {
  /** Where it is mounted: a real path. */
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

/** How long the table is relied on without asking whether it has changed, in milliseconds. */
const freshMs = 100;

/**
 * The same where there is a mount that may hang. The kernel does not report that a folder above a
 * mount point was renamed, so the table is read again.
 */
const rereadMs = 250;

const POLLPRI = 2;
const POLLERR = 8;
const O_CLOEXEC = 0o2000000;
const AT_FDCWD = -100;

/**
 * The mounts of this system, as the kernel lists them (proc_pid_mountinfo(5)), and which of them this
 * thread must not touch. The list is of no use to other threads: each has its own, so that none
 * waits for another.
 */
export class Mounts {
  readonly #libc: Libc | null;
  readonly #waits: ReadonlySet<string> | "all";
  readonly #poll = new Int32Array(2);
  readonly #pollBytes = new Uint8Array(this.#poll.buffer);
  #descriptor = -1;
  #checkedAt = 0;
  #readAt = 0;
  #all: Mount[] = [];
  #slow: Mount[] = [];
  #forbidden: Mount[] = [];

  /** @param waits the devices that this thread may wait for */
  constructor(library: Libc | null = libc, waits = waitingDevices()) {
    this.#libc = library;
    this.#waits = waits;
    if (!library) return;
    const path = new TextEncoder().encode("/proc/self/mountinfo\0");
    this.#descriptor = library.openat(AT_FDCWD, path, O_CLOEXEC, 0);
    if (this.#descriptor >= 0) this.#read();
  }

  /** Whether the kernel tells of mounts here. */
  get isKnown(): boolean {
    return this.#descriptor >= 0;
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

  /** The same for an entry of a folder that is open. Does not look whether the table has changed. */
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
    if (this.#slow.length > 0) this.#checkedAt = this.#readAt = 0;
  }

  #refresh(): void {
    if (this.#descriptor < 0) return;
    const now = Date.now();
    const age = now - this.#checkedAt;
    if (age >= 0 && age < freshMs) return;
    this.#checkedAt = now;
    const isOld = this.#slow.length > 0 && !(now - this.#readAt < rereadMs && now >= this.#readAt);
    if (isOld || this.#hasChanged()) this.#read();
  }

  #hasChanged(): boolean {
    this.#poll[0] = this.#descriptor;
    this.#poll[1] = POLLPRI; // events, and in the upper half what came
    return (this.#libc?.poll(this.#pollBytes, 1n, 0) ?? 0) > 0 &&
      ((this.#poll[1] >>> 16) & (POLLERR | POLLPRI)) !== 0;
  }

  #read(): void {
    const bytes = readWhole(this.#libc, this.#descriptor);
    if (bytes === null) return;
    this.#readAt = Date.now();
    this.#all = parseMounts(bytes);
    this.#slow = this.#all.filter(({ type }) => !quickTypes.has(type));
    const waits = this.#waits;
    this.#forbidden = waits === "all" ? [] : this.#slow.filter(({ device }) => !waits.has(device));
  }
}

/** The mounts of this system, as this thread may touch them. */
export const mounts = new Mounts();

/** Reads the lines of `mountinfo`. What is covered by another mount at the same point is left out. */
export function parseMounts(bytes: Uint8Array): Mount[] {
  const byPoint = new Map<string, Mount>();
  // Latin-1 keeps every byte; those of a path are decoded one by one.
  for (const line of new TextDecoder("latin1").decode(bytes).split("\n")) {
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
  const plain = text.replace(
    /\\([0-7]{3})/g,
    (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return decodeName(Uint8Array.from(plain, (character) => character.charCodeAt(0)));
}

function readWhole(library: Libc | null, descriptor: number): Uint8Array | null {
  if (!library || library.lseek(descriptor, 0n, 0) < 0) return null;
  for (let size = 64 * 1024;; size *= 2) {
    const bytes = new Uint8Array(size);
    let length = 0;
    for (;;) {
      const room = bytes.subarray(length);
      if (room.length === 0) break;
      const count = Number(library.read(descriptor, room, BigInt(room.length)));
      if (count < 0) return null;
      if (count === 0) return bytes.subarray(0, length);
      length += count;
    }
    if (library.lseek(descriptor, 0n, 0) < 0) return null;
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
