import { awaitMount, type Mount, mounts } from "../disk/mounts.ts";
import { DomainError } from "../../shared/errors.ts";
import { disksPatienceMs, type SentRequest } from "./protocol.ts";
import { SideThread } from "./side_thread.ts";

/**
 * How many threads wait for slow disks at most, each with an application of its own. There is one for
 * each set of disks that requests have been about.
 */
const mostThreads = 32;

/**
 * How many threads are given up that hang on a disk which answers otherwise, such as on one file of
 * it. Each that is given up makes place for another; they end should they go on.
 */
const mostGivenUp = 4;

/** How often threads are ended whose disks are not mounted any more, in milliseconds. */
const sweepMs = 60_000;

/** How long a stopping server waits for these threads to close what they have open. */
const closingMs = 500;

/**
 * Requests about disks that may hang: network mounts, FUSE. Threads that serve others never touch
 * those, but hand such requests on to threads of their own. A disk counts as hung while a call to
 * it has not returned for long, and its requests are refused at once until it has.
 */
export class SlowDisks {
  readonly #patienceMs: number;
  readonly #threads = new Map<string, SideThread>();
  readonly #givenUp = new Set<SideThread>();
  #sweep: ReturnType<typeof setInterval> | undefined;
  /** Since when each device owes an answer. */
  readonly #asked = new Map<string, number>();

  /** @param patienceMs {@link disksPatienceMs} unless given */
  constructor(patienceMs: number = disksPatienceMs) {
    this.#patienceMs = patienceMs;
  }

  /**
   * Has a request answered by a thread that may wait for some disks.
   *
   * @param path the entry that it is about, for messages
   * @throws {DomainError} `disk_timeout` when one of the disks does not answer
   */
  async fetch(
    req: Request,
    { remoteAddr }: Pick<Deno.ServeHandlerInfo, "remoteAddr">,
    disks: Mount[],
    path: string,
  ): Promise<Response> {
    const timeout = new DomainError(
      "disk_timeout",
      `Cannot reach "${path}": its disk does not answer`,
    );
    const devices = [...new Set(disks.map(({ device }) => device))].sort();
    if (devices.some((device) => this.#hasHung(device))) throw timeout;
    const thread = this.#threadFor(devices);
    if (thread === null) throw timeout;

    const late = new AbortController();
    const watch = () => {
      for (const disk of disks) this.#ask(disk);
      const isHung = devices.some((device) => this.#hasHung(device)) ||
        thread.silentMs > this.#patienceMs;
      if (isHung) late.abort(timeout);
    };
    watch();
    const timer = setInterval(watch, Math.min(1_000, this.#patienceMs / 4));
    try {
      return await thread.fetch(sent(req, remoteAddr), AbortSignal.any([req.signal, late.signal]));
    } finally {
      clearInterval(timer);
    }
  }

  /** Has answers end that never would by themselves. */
  drain(): void {
    for (const thread of this.#threads.values()) thread.drain();
  }

  /** Closes all threads; those that hang are left to the end of the process. */
  async stop(): Promise<void> {
    clearInterval(this.#sweep);
    const all = [...this.#threads.values()].map((thread) => thread.stop());
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => timer = setTimeout(resolve, closingMs));
    await Promise.race([Promise.all(all), late]);
    clearTimeout(timer);
  }

  /** Null when too many threads hang. */
  #threadFor(devices: string[]): SideThread | null {
    this.#dropUnmounted();
    const key = devices.join(",");
    const known = this.#threads.get(key);
    if (known && known.silentMs <= this.#patienceMs) return known;
    if (known && !this.#giveUp(known)) return null;
    if (this.#threads.size >= mostThreads) return null;
    const thread: SideThread = new SideThread(devices, () => {
      if (this.#threads.get(key) === thread) this.#threads.delete(key);
      this.#givenUp.delete(thread);
    });
    this.#threads.set(key, thread);
    this.#sweep ??= setInterval(() => this.#dropUnmounted(), sweepMs);
    return thread;
  }

  #giveUp(thread: SideThread): boolean {
    if (this.#givenUp.size >= mostGivenUp) return false;
    this.#givenUp.add(thread);
    thread.endWhenHeard(() => this.#givenUp.delete(thread));
    return true;
  }

  /** Ends the threads for disks that are not mounted any more. */
  #dropUnmounted(): void {
    const mounted = new Set(mounts.slow.map(({ device }) => device));
    for (const [key, thread] of this.#threads) {
      if (key.split(",").every((device) => mounted.has(device))) continue;
      this.#threads.delete(key);
      thread.end(new Error("Cannot answer: the disk was unmounted"));
    }
  }

  #hasHung(device: string): boolean {
    const since = this.#asked.get(device);
    return since !== undefined && performance.now() - since > this.#patienceMs;
  }

  #ask({ device, point }: Mount): void {
    if (this.#asked.has(device)) return;
    this.#asked.set(device, performance.now());
    awaitMount(point).finally(() => this.#asked.delete(device));
  }
}

function sent({ method, url, headers, body }: Request, remoteAddr: Deno.Addr): SentRequest {
  return { method, url, headers: [...headers], body, remoteAddr };
}
