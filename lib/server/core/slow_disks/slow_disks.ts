import { awaitMount, type Mount, mounts } from "../disk/mounts.ts";
import { DomainError } from "../../../shared/errors.ts";
import { type StartedWorker, startWorker } from "../concurrency/start_worker.ts";
import { disksTimeoutMs, type Order, type Report, type SentRequest } from "./protocol.ts";
import { workerName } from "../disk/waiting_thread.ts";

/**
 * Most threads for slow disks, each with an application of its own: one for each set of disks that
 * requests have used.
 */
const maxThreads = 32;

/**
 * Most abandoned threads, which hang on a disk that otherwise responds, such as on one file of it.
 * Each is replaced by another, and ends if it ever continues.
 */
const maxAbandoned = 4;

/** Interval at which threads of unmounted disks are ended, in milliseconds. */
const sweepMs = 60_000;

/** Timeout for closing these threads when the server stops, in milliseconds. */
const closingMs = 500;

/**
 * Serves requests for disks that may hang: network mounts, FUSE. Serving threads never access
 * those, but forward such requests to separate threads. A disk counts as hung while a call to it
 * exceeds the timeout; until it returns, its requests are refused at once.
 */
export class SlowDisks {
  readonly #timeoutMs: number;
  readonly #threads = new Map<string, SideThread>();
  readonly #abandoned = new Set<SideThread>();
  #sweep: ReturnType<typeof setInterval> | undefined;
  /** Start time of the pending probe of each device. */
  readonly #probedSince = new Map<string, number>();

  /** @param timeoutMs {@link disksTimeoutMs} unless given */
  constructor(timeoutMs: number = disksTimeoutMs) {
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Forwards a request to a thread that may block on certain disks.
   *
   * @param from the peer, and the `relay` of a WebSocket
   * @param path the entry in the request, for messages
   * @throws {DomainError} `disk_timeout` when one of the disks does not respond
   */
  async fetch(
    req: Request,
    from: Pick<SentRequest, "remoteAddr" | "relay">,
    disks: Mount[],
    path: string,
  ): Promise<Response> {
    const timeout = new DomainError(
      "disk_timeout",
      `Cannot reach "${path}": its disk does not answer`,
    );
    const devices = devicesOf(disks);
    if (devices.some((device) => this.#hasHung(device))) throw timeout;
    const thread = this.#threadFor(devices);
    if (thread === null) throw timeout;

    const late = new AbortController();
    const watch = () => {
      for (const disk of disks) this.#probe(disk);
      const isHung = devices.some((device) => this.#hasHung(device)) ||
        thread.silentMs > this.#timeoutMs;
      if (isHung) late.abort(timeout);
    };
    watch();
    const timer = setInterval(watch, Math.min(1_000, this.#timeoutMs / 4));
    try {
      return await thread.fetch(sent(req, from), AbortSignal.any([req.signal, late.signal]));
    } finally {
      clearInterval(timer);
    }
  }

  /**
   * Starts the thread that may block on certain disks, if it is not there: it takes the jobs that
   * need it. Does nothing while one of the disks does not respond.
   *
   * @param points their mount points
   */
  open(points: readonly string[]): void {
    const disks = mounts.slow.filter(({ point }) => points.includes(point));
    if (disks.length === 0) return;
    for (const disk of disks) this.#probe(disk);
    const devices = devicesOf(disks);
    if (devices.some((device) => this.#hasHung(device))) return;
    if (!this.#threads.has(devices.join(","))) this.#threadFor(devices);
  }

  /** Ends responses that never end by themselves. */
  drain(): void {
    for (const thread of this.#threads.values()) thread.drain();
  }

  /** Stops all threads; hung ones end with the process. */
  async stop(): Promise<void> {
    clearInterval(this.#sweep);
    const all = [...this.#threads.values()].map((thread) => thread.stop());
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => timer = setTimeout(resolve, closingMs));
    await Promise.race([Promise.all(all), late]);
    clearTimeout(timer);
  }

  /** The thread for a set of devices; null when too many threads hang. */
  #threadFor(devices: string[]): SideThread | null {
    this.#dropUnmounted();
    const key = devices.join(",");
    const known = this.#threads.get(key);
    if (known && known.silentMs <= this.#timeoutMs) return known;
    if (known && !this.#abandon(known)) return null;
    if (this.#threads.size >= maxThreads) return null;
    const thread: SideThread = new SideThread(devices, () => {
      if (this.#threads.get(key) === thread) this.#threads.delete(key);
      this.#abandoned.delete(thread);
    });
    this.#threads.set(key, thread);
    this.#sweep ??= setInterval(() => this.#dropUnmounted(), sweepMs);
    return thread;
  }

  #abandon(thread: SideThread): boolean {
    if (this.#abandoned.size >= maxAbandoned) return false;
    this.#abandoned.add(thread);
    thread.endOnNextReport(() => this.#abandoned.delete(thread));
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
    const since = this.#probedSince.get(device);
    return since !== undefined && performance.now() - since > this.#timeoutMs;
  }

  #probe({ device, point }: Mount): void {
    if (this.#probedSince.has(device)) return;
    this.#probedSince.set(device, performance.now());
    awaitMount(point).finally(() => this.#probedSince.delete(device));
  }
}

function devicesOf(disks: readonly Mount[]): string[] {
  return [...new Set(disks.map(({ device }) => device))].sort();
}

function sent(
  { method, url, headers, body }: Request,
  { remoteAddr, relay }: Pick<SentRequest, "remoteAddr" | "relay">,
): SentRequest {
  return { method, url, headers: [...headers], body, remoteAddr, ...relay && { relay } };
}

/** A request without a response. */
interface Pending {
  resolve(response: Response): void;
  reject(error: unknown): void;
}

/** A thread that serves the requests for certain disks, on which it may block. */
class SideThread {
  readonly #worker: StartedWorker;
  readonly #pending = new Map<number, Pending>();
  readonly #stopped = Promise.withResolvers<void>();
  #lastId = 0;
  #lastReportAt: number | null = null;
  #onNextReport: (() => void) | null = null;

  /**
   * @param devices the disks on which it may block
   * @param onDeath called when it ends with an error
   */
  constructor(devices: string[], onDeath: () => void) {
    const script = new URL("../../boot/slow_disks_worker.ts", import.meta.url);
    this.#worker = startWorker<Report>(script, workerName("slow disks", devices), {
      onMessage: (report) => this.#onReport(report),
      onError: (message) => {
        console.error(`A thread for slow disks stopped: ${message}`);
        onDeath();
        this.end(new Error("Cannot answer: the thread for its disk stopped unexpectedly"));
      },
    });
  }

  /** Time since its last heartbeat, in milliseconds; 0 until its application is open. */
  get silentMs(): number {
    return this.#lastReportAt === null ? 0 : performance.now() - this.#lastReportAt;
  }

  /**
   * Forwards a request, and transfers its body.
   *
   * @param signal aborts the request; the promise rejects with the signal's reason
   */
  fetch(request: SentRequest, signal: AbortSignal): Promise<Response> {
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const abort = () => {
      this.#send({ id, abort: true });
      this.#settle(id)?.reject(signal.reason);
    };
    this.#pending.set(id, { resolve, reject });
    this.#send({ id, request }, request.body ? [request.body] : []);
    signal.addEventListener("abort", abort, { once: true });
    return promise.finally(() => signal.removeEventListener("abort", abort));
  }

  /** Ends the streams that never end by themselves. */
  drain(): void {
    this.#send("drain");
  }

  /** Closes its application. Never settles if the thread hangs. */
  stop(): Promise<void> {
    this.#send("stop");
    return this.#stopped.promise;
  }

  /** Terminates the thread at its next message. */
  endOnNextReport(onEnd: () => void): void {
    this.#onNextReport = onEnd;
  }

  /** Terminates the thread; pending requests fail. */
  end(reason: Error): void {
    this.#worker.end();
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(reason);
    this.#stopped.resolve();
  }

  #send(order: Order, transfer: Transferable[] = []): void {
    this.#worker.post(order, transfer);
  }

  #onReport(report: Report): void {
    this.#lastReportAt = performance.now();
    if (this.#onNextReport) {
      this.#onNextReport();
      return this.end(new Error("Cannot answer: the disk did not respond"));
    }
    if (report === "alive") return;
    if (report === "stopped") return this.#stopped.resolve();
    if ("failure" in report) return this.#settle(report.id)?.reject(new Error(report.failure));
    const { body, ...init } = report.response;
    const pending = this.#settle(report.id);
    if (pending) pending.resolve(new Response(body, init));
    else body?.cancel().catch(() => {});
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }
}
