import { workerName } from "../disk/waiting_thread.ts";
import type { Order, Report, SentRequest } from "./protocol.ts";

/** A request that has no answer yet. */
interface Pending {
  resolve(response: Response): void;
  reject(error: unknown): void;
}

/** A thread that waits for certain disks and answers the requests that are about them. */
export class SideThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  readonly #stopped = Promise.withResolvers<void>();
  #lastId = 0;
  #heardAt: number | null = null;
  #onHeard: (() => void) | null = null;

  /**
   * @param devices those that it may wait for
   * @param onDeath called when it ends by an error
   */
  constructor(devices: string[], onDeath: () => void) {
    this.#worker = new Worker(new URL("../boot/slow_disks_worker.ts", import.meta.url), {
      type: "module",
      name: workerName("slow disks", devices),
    });
    this.#worker.onmessage = ({ data }: MessageEvent<Report>) => this.#take(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      console.error(`A thread that waits for slow disks died: ${event.message}`);
      onDeath();
      this.end(new Error("Cannot answer: the thread for its disk died"));
    };
  }

  /** For how long it has not said that it is alive, in milliseconds; 0 until its application is open. */
  get silentMs(): number {
    return this.#heardAt === null ? 0 : performance.now() - this.#heardAt;
  }

  /**
   * Has it answer a request, of which it takes the body over.
   *
   * @param signal has it stop, and the answer fail with the signal's reason
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

  /** Has it end the streams that never end by themselves. */
  drain(): void {
    this.#send("drain");
  }

  /** Has it close what it has open. One that hangs does not settle. */
  stop(): Promise<void> {
    this.#send("stop");
    return this.#stopped.promise;
  }

  /** Ends it as soon as it says anything again. */
  endWhenHeard(onEnd: () => void): void {
    this.#onHeard = onEnd;
  }

  /** Ends it; requests without an answer fail. */
  end(reason: Error): void {
    this.#worker.terminate();
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(reason);
    this.#stopped.resolve();
  }

  #send(order: Order, transfer: Transferable[] = []): void {
    this.#worker.postMessage(order, transfer);
  }

  #take(report: Report): void {
    this.#heardAt = performance.now();
    if (this.#onHeard) {
      this.#onHeard();
      return this.end(new Error("Cannot answer: the thread for its disk hung"));
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
