/**
 * A Worker that exchanges entries back and forth in single steps, RENAME_EXCHANGE of renameat2(2),
 * until it is stopped. In between it spins for some microseconds: a system's sleep is far longer
 * than what lies between a look at a path and its use. Now and then it rests for some
 * milliseconds, with the folder in place or with the link, so that some of the others' work gets
 * through, and some is refused.
 */
import { libc } from "../../../lib/server/core/disk/libc.ts";

/** Sent to the Worker. */
export interface SwapOrder {
  /** Paths of two entries each that change places. */
  pairs: [string, string][];
  /** Its first number is not 0 any more once the Worker is to end. */
  stop: SharedArrayBuffer;
}

/** Sent by the Worker when it has begun, and when it has ended. */
export interface SwapReport {
  state: "swapping" | "ended";
  /** How often two entries have changed places. */
  exchanges: number;
}

const pausesUs = [2, 4, 8, 15, 40];
const roundsUntilRest = 256;
const maxRestMs = 8;
const workingDirectory = -100;
const exchangeFlag = 2;

const worker = self as unknown as {
  onmessage: (event: MessageEvent<SwapOrder>) => void;
  postMessage(report: SwapReport): void;
};

worker.onmessage = ({ data: { pairs, stop } }) => {
  const flag = new Int32Array(stop);
  const places = pairs.map((pair) => pair.map(cString));
  let exchanges = 0;
  worker.postMessage({ state: "swapping", exchanges });
  for (let round = 0; Atomics.load(flag, 0) === 0; round++) {
    const [a, b] = places[round % places.length] ?? [];
    // Entries that went, as others removed the folder that holds them, come back by themselves.
    if (!a || !b || !exchange(a, b)) continue;
    const rests = round % roundsUntilRest === 0;
    if (rests && round % (2 * roundsUntilRest) === 0) rest(flag);
    else spin(pausesUs[round % pausesUs.length] ?? 0);
    if (exchange(b, a)) exchanges += 2;
    if (rests && round % (2 * roundsUntilRest) !== 0) rest(flag);
    else spin(pausesUs[(round >> 1) % pausesUs.length] ?? 0);
  }
  worker.postMessage({ state: "ended", exchanges });
};

function exchange(a: Uint8Array<ArrayBuffer>, b: Uint8Array<ArrayBuffer>): boolean {
  return libc?.renameat2(workingDirectory, a, workingDirectory, b, exchangeFlag) === 0;
}

function cString(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${text}\0`);
}

function spin(microseconds: number): void {
  for (const end = performance.now() + microseconds / 1000; performance.now() < end;);
}

function rest(flag: Int32Array<SharedArrayBuffer>): void {
  Atomics.wait(flag, 0, 0, Math.random() * maxRestMs);
}
