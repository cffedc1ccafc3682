/** Most series of one thread. About 80 routes with 20 series each are known; labels are fixed sets. */
const maxSeries = 4096;
/** The longest full name of a series, in bytes. */
const maxNameBytes = 168;

const countBytes = 8;
const namesAt = countBytes;
const valuesAt = namesAt + maxSeries * maxNameBytes;

/** Bytes of the memory of one thread. */
const threadBytes = valuesAt + maxSeries * 8;

/** Memory for the series of some threads, which all threads of the process can read. */
export function seriesMemory(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * threadBytes);
}

/**
 * The series that one thread writes: names with their labels, and a number each. No other thread
 * writes there, so that adding is a plain addition; a name is published after it is complete.
 */
export class SharedSeries {
  readonly #count: Int32Array;
  readonly #names: Uint8Array;
  readonly #slots = new Map<string, number>();
  /** By slot. */
  readonly values: Float64Array;

  constructor(memory: SharedArrayBuffer, thread: number) {
    const start = thread * threadBytes;
    this.#count = new Int32Array(memory, start, 1);
    this.#names = new Uint8Array(memory, start + namesAt, maxSeries * maxNameBytes);
    this.values = new Float64Array(memory, start + valuesAt, maxSeries);
  }

  /**
   * The slot of a series, which is new at its first use; the last one takes all that have no place.
   *
   * @throws RangeError when the name is too long
   */
  slotOf(name: string): number {
    const known = this.#slots.get(name);
    if (known !== undefined) return known;
    const slot = this.#slots.size;
    if (slot >= maxSeries - 1) return maxSeries - 1;
    const bytes = new TextEncoder().encode(name);
    if (bytes.length >= maxNameBytes) {
      throw new RangeError(`Cannot count "${name}": it is too long`);
    }
    this.#names.set(bytes, slot * maxNameBytes);
    this.#slots.set(name, slot);
    Atomics.store(this.#count, 0, slot + 1);
    return slot;
  }

  /** Adds the numbers of this thread, which may be another than the caller's, to a sum. */
  addTo(sums: Map<string, number>): void {
    const decoder = new TextDecoder();
    const count = Atomics.load(this.#count, 0);
    for (let slot = 0; slot < count; slot++) {
      // A copy: texts are not decoded from shared memory.
      const bytes = this.#names.slice(slot * maxNameBytes, (slot + 1) * maxNameBytes);
      const name = decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
      sums.set(name, (sums.get(name) ?? 0) + (this.values[slot] ?? 0));
    }
  }
}
