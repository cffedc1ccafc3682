import { cString, lastError, type Libc } from "./libc.ts";

/** The functions of the C library that the sandbox of a command uses, besides the launcher's. */
const symbols = {
  mount: { parameters: ["buffer", "buffer", "buffer", "u64", "buffer"], result: "i32" },
  umount2: { parameters: ["buffer", "i32"], result: "i32" },
  // glibc has no wrapper for the first of these; old versions have none for the others.
  pivotRoot: { name: "syscall", parameters: ["i64", "buffer", "buffer"], result: "i64" },
  mountSetattr: {
    name: "syscall",
    parameters: ["i64", "i32", "buffer", "u32", "buffer", "usize"],
    result: "i64",
  },
  openWithoutLinks: {
    name: "syscall",
    parameters: ["i64", "i32", "buffer", "buffer", "usize"],
    result: "i64",
  },
  closeRange: { name: "syscall", parameters: ["i64", "u32", "u32", "u32"], result: "i64" },
  capset: { parameters: ["buffer", "buffer"], result: "i32" },
  dup2: { parameters: ["i32", "i32"], result: "i32" },
  nice: { parameters: ["i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

const callNumber = {
  pivotRoot: Deno.build.arch === "aarch64" ? 41n : 155n,
  closeRange: 436n,
  openWithoutLinks: 437n,
  mountSetattr: 442n,
};

/** Restrictions of a mount (linux/mount.h). */
export const mountOption = { readOnly: 1n, noSetuid: 2n, noDevices: 4n } as const;

const bindRecursively = 0x1000n | 0x4000n;
const openPathOnly = 0o10000000n | 0o2000000n; // O_PATH | O_CLOEXEC
const refuseLinks = 4n;
const lazily = 2;
const currentFolder = -100;
const recursively = 0x8000;
const closeOnExec = 4;
const dropFromBounds = 24;
const ambientCapabilities = 47;
const signalAtEndOfParent = 1;
const sigkill = 9n;
const clearAll = 4n;
const maxCapabilities = 64;
/** linux/capability.h: version 3, of 64 capabilities, with three sets in two halves each. */
const capabilityVersion = 0x20080522;
const capabilityBytes = 24;

/** The calls with which a process sets up its own mount namespace and drops its privileges. */
export class NamespaceCalls {
  readonly #libc: Libc;
  readonly #more = Deno.dlopen("libc.so.6", symbols).symbols;

  constructor(libc: Libc) {
    this.#libc = libc;
  }

  /** Mounts an empty folder in memory (tmpfs). @param options as mount(8) takes them */
  mountMemory(path: string, options: string): void {
    const flags = mountOption.noSetuid | mountOption.noDevices;
    this.#mount(cString("tmpfs"), path, cString("tmpfs"), flags, cString(options));
  }

  /** Mounts this namespace's `proc`; false where the system refuses. */
  mountProcesses(path: string): boolean {
    const flags = mountOption.noSetuid | mountOption.noDevices | 8n; // 8: nothing there is executed
    const type = cString("proc");
    return this.#more.mount(type, cString(path), type, flags, null) === 0;
  }

  /** Bind-mounts a file or folder, recursively. */
  bind(source: string, target: string, options: bigint): void {
    this.#mount(cString(source), target, null, bindRecursively, null);
    this.restrict(target, options, recursively);
  }

  /** Restricts a mount. @param scope 0 for this mount alone */
  restrict(path: string, options: bigint, scope = 0): void {
    const attributes = new BigUint64Array([options, 0n, 0n, 0n]);
    const result = this.#more.mountSetattr(
      callNumber.mountSetattr,
      currentFolder,
      cString(path),
      scope,
      new Uint8Array(attributes.buffer),
      BigInt(attributes.byteLength),
    );
    this.#check(result, `restrict "${path}"`);
  }

  /**
   * Opens a path without following symlinks in any component, safe from races.
   *
   * @returns a path below `/proc` that is bound to the opened entry
   */
  hold(path: string): string {
    const how = new BigUint64Array([openPathOnly, 0n, refuseLinks]);
    const descriptor = this.#more.openWithoutLinks(
      callNumber.openWithoutLinks,
      currentFolder,
      cString(path),
      new Uint8Array(how.buffer),
      BigInt(how.byteLength),
    );
    this.#check(descriptor, `open "${path}"`);
    return `/proc/self/fd/${descriptor}`;
  }

  /** Makes a mounted folder the root (pivot_root), and unmounts the old one. */
  enterRoot(root: string): void {
    Deno.chdir(root);
    // The old root is stacked over the new one, so it needs no folder in it, and is then unmounted.
    const here = cString(".");
    this.#check(this.#more.pivotRoot(callNumber.pivotRoot, here, here), "enter the new root");
    this.#check(this.#more.umount2(here, lazily), "leave the former root");
    Deno.chdir("/");
  }

  /**
   * Drops all capabilities of all five sets, also in this namespace, so that no program executed
   * from here on has any. `unshare --keep-caps` makes them inheritable, too.
   *
   * @param kept the number of one that programs of root may have
   */
  dropCapabilities(kept?: number): void {
    const { prctl } = this.#libc;
    for (let capability = 0; capability < maxCapabilities; capability++) {
      if (capability === kept) continue;
      // The first one unknown to the kernel ends the list.
      if (prctl(dropFromBounds, BigInt(capability), 0n, 0n, 0n) !== 0) break;
    }
    this.#check(prctl(ambientCapabilities, clearAll, 0n, 0n, 0n), "drop the capabilities");
    // One that is missing already cannot be kept.
    if (kept !== undefined && this.#setCapabilities(1 << kept) === 0) return;
    this.#check(this.#setCapabilities(0), "drop the capabilities");
  }

  /**
   * Has the kernel kill this process with the one that started it, be that killed, too. Holds for
   * programs executed from here on, if they gain no rights.
   */
  endWithParent(): void {
    const { prctl } = this.#libc;
    this.#check(prctl(signalAtEndOfParent, sigkill, 0n, 0n, 0n), "end with its parent");
  }

  /** @param kept bits of the first 32, effective and permitted */
  #setCapabilities(kept: number): number {
    const header = new Uint32Array([capabilityVersion, 0]); // 0: this thread
    const sets = new Uint32Array(capabilityBytes / 4);
    sets.fill(kept, 0, 2);
    return this.#more.capset(new Uint8Array(header.buffer), new Uint8Array(sets.buffer));
  }

  /** Passes on only the standard three descriptors, and joins both outputs in order. */
  joinOutputs(): void {
    this.#check(this.#more.dup2(1, 2), "join the outputs");
    this.keepStandardFiles();
  }

  /** Passes on only the standard three descriptors to the next program. */
  keepStandardFiles(): void {
    const { closeRange } = callNumber;
    this.#check(this.#more.closeRange(closeRange, 3, 0xffffffff, closeOnExec), "close files");
  }

  /** Lowers the scheduling priority. */
  yieldToOthers(): void {
    this.#more.nice(10);
  }

  #mount(
    source: Uint8Array<ArrayBuffer>,
    target: string,
    type: Uint8Array<ArrayBuffer> | null,
    flags: bigint,
    data: Uint8Array<ArrayBuffer> | null,
  ): void {
    this.#check(this.#more.mount(source, cString(target), type, flags, data), `mount "${target}"`);
  }

  #check(result: number | bigint, step: string): void {
    if (result < 0) throw new Error(`cannot ${step}: error ${lastError(this.#libc)}`);
  }
}
