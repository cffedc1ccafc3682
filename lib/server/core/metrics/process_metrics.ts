import { libc } from "../disk/libc.ts";
import { version } from "../../../shared/version.ts";
import type { FamilyName } from "./families.ts";
import { Histogram, readMetrics, seriesName } from "./metrics.ts";

/** Interval of the timer whose delay is measured, in milliseconds. */
const tickMs = 500;
const delays = new Histogram(
  "cubby_event_loop_delay_seconds",
  [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
);

/** Descriptors that one call looks at. */
const descriptorsPerCall = 1024;
/** The limit that is reported where there is none. */
const maxDescriptors = 2 ** 31 - 1;
/** `POLLNVAL`: the descriptor is not open. */
const notOpen = 0x20;
/** `RLIMIT_NOFILE`. */
const descriptorLimit = 7;

const startedAt = (Date.now() - performance.now()) / 1000;

/**
 * Measures how late this thread's timers are, as all that waits for the event loop is.
 *
 * @returns ends it
 */
export function measureEventLoop(): () => void {
  let due = performance.now() + tickMs;
  const timer = setInterval(() => {
    const now = performance.now();
    delays.observe(Math.max(0, now - due) / 1000);
    due = now + tickMs;
  }, tickMs);
  Deno.unrefTimer(timer);
  return () => clearInterval(timer);
}

/** All that was counted, and the state of the process at this moment. */
export function readAllMetrics(threads: number): Map<string, number> {
  const descriptors = openDescriptors();
  const present: [FamilyName, number | null][] = [
    ["cubby_start_time_seconds", startedAt],
    ["cubby_threads", threads],
    ["process_resident_memory_bytes", Deno.memoryUsage().rss],
    ["process_open_fds", descriptors?.open ?? null],
    ["process_max_fds", descriptors?.max ?? null],
  ];
  const sums = new Map([
    [seriesName("cubby_info", { version, deno: Deno.version.deno }), 1],
    ...present.filter((pair): pair is [FamilyName, number] => pair[1] !== null),
  ]);
  for (const [series, value] of readMetrics()) sums.set(series, value);
  return sums;
}

/**
 * Counts the open descriptors by asking the kernel about each number: the server may not list
 * `/proc/self/fd`. The lowest free number is always taken next, so that the count ends at the first
 * long stretch without any. Null without a C library.
 */
function openDescriptors(): { open: number; max: number } | null {
  if (libc === null) return null;
  const limits = new BigUint64Array(2);
  if (libc.getrlimit(descriptorLimit, new Uint8Array(limits.buffer)) !== 0) return null;
  const max = Math.min(Number(limits[0]), maxDescriptors);
  let open = 0;
  for (let first = 0; first < max; first += descriptorsPerCall) {
    const count = Math.min(descriptorsPerCall, max - first);
    // struct pollfd: a descriptor of 4 bytes, what is asked and what is answered of 2 each.
    const asked = new Int32Array(count * 2);
    for (let index = 0; index < count; index++) asked[index * 2] = first + index;
    if (libc.poll(new Uint8Array(asked.buffer), BigInt(count), 0) < 0) return null;
    let here = 0;
    for (let index = 0; index < count; index++) {
      if ((((asked[index * 2 + 1] ?? 0) >>> 16) & notOpen) === 0) here++;
    }
    if (here === 0) break;
    open += here;
  }
  return { open, max };
}
