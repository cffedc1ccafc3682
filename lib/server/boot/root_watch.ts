import { libc } from "../core/disk/libc.ts";
import { type Facts, StatxFacts, statxLength } from "../core/disk/facts.ts";
import { encodeName } from "../../shared/entry_names.ts";
import { disk } from "../core/disk/this_disk.ts";

/** State of the served folder: in place; replaced or unreachable; or its disk timed out. */
export type RootState = "served" | "lost" | "silent";

const AT_FDCWD = -100;
const AT_SYMLINK_NOFOLLOW = 0x100;
const STATX_INO = 0x100;
const openFlags = 0o2000000 | (Deno.build.arch === "aarch64" ? 0o40000 : 0o200000);

/** How long a result is cached, for concurrent callers, in milliseconds. */
const freshMs = 100;

/** Timeout of the disk, in milliseconds. */
const timeoutMs = 2_000;

/**
 * Watches whether the served folder is still the one at the start of the server. Landlock's rules
 * are bound to inodes: after a remount they would refuse everything. All calls run off the main
 * thread.
 */
export class RootWatch {
  readonly #path: Uint8Array<ArrayBuffer>;
  readonly #first: string | Promise<string>;
  #comparison: { at: number; isOver: boolean; state: Promise<RootState> } | null = null;

  constructor(root: string) {
    this.#path = cPath(root);
    try {
      this.#first = identityOf(disk.look(root));
    } catch {
      // The disk may hang.
      this.#first = this.#identity();
    }
  }

  /** The present state. Does not throw. */
  async state(): Promise<RootState> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silent = new Promise<RootState>((resolve) => {
      timer = setTimeout(() => resolve("silent"), timeoutMs);
    });
    const state = await Promise.race([this.#current(), silent]);
    clearTimeout(timer);
    return state;
  }

  /** The state from now on, where one of a moment ago does not do. Does not throw. */
  async stateNow(): Promise<RootState> {
    await this.state();
    this.#comparison = null;
    return await this.state();
  }

  /** One comparison at a time, also while a disk hangs: each blocks a thread. */
  #current(): Promise<RootState> {
    const last = this.#comparison;
    const now = performance.now();
    if (last && (!last.isOver || now - last.at < freshMs)) return last.state;
    const comparison = { at: now, isOver: false, state: this.#compare() };
    comparison.state.finally(() => comparison.isOver = true);
    this.#comparison = comparison;
    return comparison.state;
  }

  async #compare(): Promise<RootState> {
    if (!libc) return "served"; // Without Landlock, any folder of that name will do.
    if (await this.#identity() !== await this.#first) return "lost";
    if (await opens(this.#path)) return "served";
    // If `/dev/null` does not open either, the process is out of descriptors.
    return await opens(cPath("/dev/null"), 0) ? "lost" : "served";
  }

  async #identity(): Promise<string> {
    const bytes = new Uint8Array(statxLength);
    const flags = AT_SYMLINK_NOFOLLOW;
    const result = await libc?.statxLater(AT_FDCWD, this.#path, flags, STATX_INO, bytes);
    return identityOf(result === 0 ? new StatxFacts(new Uint32Array(bytes.buffer)) : null);
  }
}

/** Device and inode; "" when the folder does not exist. */
function identityOf(facts: Pick<Facts, "dev" | "ino"> | null): string {
  return facts ? `${facts.dev}:${facts.ino}` : "";
}

async function opens(path: Uint8Array<ArrayBuffer>, flags = openFlags): Promise<boolean> {
  if (!libc) return true;
  const descriptor = await libc.openLater(AT_FDCWD, path, flags, 0);
  if (descriptor < 0) return false;
  libc.close(descriptor);
  return true;
}

function cPath(path: string): Uint8Array<ArrayBuffer> {
  const bytes = encodeName(path);
  const whole = new Uint8Array(bytes.length + 1);
  whole.set(bytes);
  return whole;
}
