import { type Attributes, isKeptAttribute } from "./attributes.ts";
import { type Facts, StatxFacts } from "./facts.ts";
import type { LinuxCalls } from "./linux_calls.ts";

/** As much as Linux takes of one value, and of all names (linux/limits.h). One per thread. */
const buffer = new Uint8Array(64 * 1024);
const bufferLength = BigInt(buffer.length);
const decoder = new TextDecoder();

const LOCK_SHARED = 1 | 4; // LOCK_SH | LOCK_NB
const LOCK_EXCLUSIVE = 2 | 4;

/** The common base of open files and open folders of a Linux disk. */
export abstract class LinuxEntry implements Disposable {
  protected readonly calls: LinuxCalls;
  /** -1 once it is closed. */
  protected descriptor: number;

  constructor(calls: LinuxCalls, descriptor: number) {
    this.calls = calls;
    this.descriptor = descriptor;
  }

  facts(): StatxFacts {
    return this.calls.factsOf(this.descriptor);
  }

  setMode(mode: number): void {
    this.calls.check(this.calls.libc.fchmod(this.descriptor, mode), "fchmod");
  }

  attributes(): Attributes {
    const { libc } = this.calls;
    const found = new Map<string, Uint8Array<ArrayBuffer>>();
    const length = Number(libc.flistxattr(this.descriptor, buffer, bufferLength));
    // A file system without attributes refuses. They may change meanwhile: a name that is gone is none.
    const names = length > 0 ? decoder.decode(buffer.subarray(0, length)).split("\0") : [];
    for (const name of names.filter(isKeptAttribute)) {
      const count = Number(
        libc.fgetxattr(this.descriptor, this.calls.cName(name), buffer, bufferLength),
      );
      if (count >= 0) found.set(name, buffer.slice(0, count));
    }
    return found;
  }

  setAttribute(name: string, value: Uint8Array<ArrayBuffer> | null): void {
    const { libc } = this.calls;
    const result = value
      ? libc.fsetxattr(this.descriptor, this.calls.cName(name), value, BigInt(value.length), 0)
      : libc.fremovexattr(this.descriptor, this.calls.cName(name));
    this.calls.check(result, value ? "fsetxattr" : "fremovexattr");
  }

  setOwner(uid: number, gid: number): void {
    this.calls.check(this.calls.libc.fchown(this.descriptor, uid, gid), "fchown");
  }

  setTimes(times: Facts): void {
    this.calls.check(this.calls.libc.futimens(this.descriptor, timespecsOf(times)), "futimens");
  }

  sync(): Promise<void> {
    return this.calls.sync(this.descriptor);
  }

  lock(how: "shared" | "exclusive"): boolean {
    return this.calls.libc.flock(
      this.descriptor,
      how === "shared" ? LOCK_SHARED : LOCK_EXCLUSIVE,
    ) === 0;
  }

  [Symbol.dispose](): void {
    if (this.descriptor >= 0) this.calls.libc.close(this.descriptor);
    this.descriptor = -1;
  }
}

/** Access and modification as `futimens` takes them. */
function timespecsOf(times: Facts): Uint8Array<ArrayBuffer> {
  if (times instanceof StatxFacts) return times.timespecs();
  const parts = [times.atime, times.mtime].flatMap((time) => {
    const ms = time?.getTime() ?? Date.now();
    const seconds = Math.floor(ms / 1000);
    return [seconds, (ms - seconds * 1000) * 1e6];
  });
  return new Uint8Array(new BigInt64Array(parts.map(BigInt)).buffer);
}
