import { workerName } from "../disk/waiting_thread.ts";
import type { Order, Report, SentRequest } from "./protocol.ts";

/** A request without a response. */
interface Pending {
  resolve(response: Response): void;
  reject(error: unknown): void;
}

/** A thread that serves the requests for certain disks, on which it may block. */
export class SideThread {
  readonly #worker: Worker;
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
    this.#worker = new Worker(new URL("../boot/slow_disks_worker.ts", import.meta.url), {
      type: "module",
      name: workerName("slow disks", devices),
    });
    this.#worker.onmessage = ({ data }: MessageEvent<Report>) => this.#onReport(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      console.error(`A thread for slow disks stopped: ${event.message}`);
      onDeath();
      this.end(new Error("Cannot answer: the thread for its disk stopped unexpectedly"));
    };
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
    this.#worker.terminate();
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(reason);
    this.#stopped.resolve();
  }

  #send(order: Order, transfer: Transferable[] = []): void {
    this.#worker.postMessage(order, transfer);
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
