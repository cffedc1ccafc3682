import { DiskError, errorWord, type Watch, type WatchListener } from "./disk.ts";
import { lastError, type Libc, libc } from "./libc.ts";
import { decodeName } from "../../../shared/entry_names.ts";

/** Polling interval while anything is watched, in milliseconds. */
const pollMs = 100;

const IN_NONBLOCK = 0o4000;
const IN_CLOEXEC = 0o2000000;
/** Modified, attributes, written and closed, moved from, moved to, created, deleted. */
const entryEvents = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200;
const IN_DELETE_SELF = 0x400;
const IN_MOVE_SELF = 0x800;
const IN_ONLYDIR = 0x1000000;
const IN_Q_OVERFLOW = 0x4000;
const IN_UNMOUNT = 0x2000;
const POLLIN = 1;
const selfEvents = IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT;

/** Bytes that are read at a time; kept, as nearly all reads find nothing. */
const bufferBytes = 64 * 1024;

/** The length of a `struct inotify_event` without its name. */
const headLength = 16;

/**
 * Changes in single folders, reported by the kernel (inotify(7)). A folder is watched by its
 * descriptor, so it is the one that was opened. One queue serves all watches of a thread; two
 * watches of one folder share the kernel's.
 */
export class Inotify {
  readonly #libc: Libc;
  readonly #listeners = new Map<number, Set<WatchListener>>();
  #queue = -1;
  #buffer: Uint8Array<ArrayBuffer> | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(libc: Libc) {
    this.#libc = libc;
  }

  /**
   * @param descriptor of an open folder, which may be closed afterwards
   * @throws DiskError `ENOSPC` at the system's limit of watches; others
   */
  watch(descriptor: number, listener: WatchListener): Watch {
    if (this.#queue < 0) this.#open();
    const path = new TextEncoder().encode(`/proc/self/fd/${descriptor}\0`);
    const mask = entryEvents | selfEvents | IN_ONLYDIR;
    const watch = this.#libc.inotifyAddWatch(this.#queue, path, mask);
    if (watch < 0) {
      const word = errorWord(lastError());
      this.#closeIfIdle();
      throw new DiskError(word, "inotify_add_watch");
    }
    const listeners = this.#listeners.get(watch) ?? new Set();
    this.#listeners.set(watch, listeners.add(listener));
    return {
      queue: this.#queue,
      report: () => this.#fetch(),
      [Symbol.dispose]: () => this.#drop(watch, listeners, listener),
    };
  }

  #open(): void {
    this.#queue = this.#libc.inotifyInit1(IN_NONBLOCK | IN_CLOEXEC);
    if (this.#queue < 0) throw new DiskError(errorWord(lastError()), "inotify_init1");
    this.#timer = setInterval(() => this.#fetch(), pollMs);
  }

  #drop(watch: number, listeners: Set<WatchListener>, listener: WatchListener): void {
    if (!listeners.delete(listener) || listeners.size > 0) return;
    // The id may be another folder's by now, when this one is gone.
    if (this.#listeners.get(watch) === listeners) {
      this.#listeners.delete(watch);
      this.#libc.inotifyRemoveWatch(this.#queue, watch);
    }
    this.#closeIfIdle();
  }

  #closeIfIdle(): void {
    if (this.#listeners.size > 0 || this.#queue < 0) return;
    clearInterval(this.#timer);
    this.#libc.close(this.#queue);
    this.#queue = -1;
    this.#buffer = null;
  }

  #fetch(): void {
    if (this.#queue < 0) return;
    const bytes = this.#buffer ??= new Uint8Array(bufferBytes);
    const length = Number(this.#libc.read(this.#queue, bytes, BigInt(bytes.length)));
    if (length <= 0) return;
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < length;) {
      const [watch, mask] = [view.getInt32(at, true), view.getUint32(at + 4, true)];
      const end = at + headLength + view.getUint32(at + 12, true);
      const name = bytes.subarray(at + headLength, end);
      const zero = name.indexOf(0);
      this.#tell(watch, mask, decodeName(zero < 0 ? name : name.subarray(0, zero)));
      at = end;
    }
  }

  #tell(watch: number, mask: number, name: string): void {
    if (mask & IN_Q_OVERFLOW) {
      for (const listeners of [...this.#listeners.values()]) tellAll(listeners, null);
      return;
    }
    const listeners = this.#listeners.get(watch);
    if (!listeners) return;
    if (mask & selfEvents) {
      tellAll(listeners, "");
      return;
    }
    if (mask & entryEvents) tellAll(listeners, name === "" ? null : name);
  }
}

/**
 * Whether changes wait in a queue for its thread to read them; true for one that cannot be polled.
 *
 * @param queue of a {@linkcode Watch}, which may be another thread's
 */
export function hasUnread(queue: number): boolean {
  return libc?.poll(Int32Array.of(queue, POLLIN), 1n, 0) !== 0;
}

function tellAll(listeners: Set<WatchListener>, name: string | null): void {
  for (const listener of [...listeners]) listener(name);
}
