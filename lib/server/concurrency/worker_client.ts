import { workerName } from "../disk/waiting_thread.ts";
import { DomainError } from "../../shared/errors.ts";
import { collectReceived } from "./collect_garbage.ts";
import { IncomingStream } from "./incoming_stream.ts";
import { buffersOf, receivedError, type Reply, type Request, sentError } from "./protocol.ts";
import type { Handlers } from "./serve_worker.ts";
import type { WorkerCall } from "./worker_call.ts";

/** Configuration of a worker. */
export interface WorkerOptions {
  /** The worker's module, which calls `serveWorker()`. */
  script: URL;
  /** The thread's name. */
  name: string;
  /** Makes the error of pending calls when the worker dies, from its error message. */
  diedOf?(message: string): Error;
  /** Makes the error of pending calls when the worker is closed. */
  closed?(): Error;
  /** Logs the worker's sentences. */
  note?(sentence: string): void;
}

/** Options of a call. */
export interface CallOptions {
  /** Cancels the call, which rejects with the signal's reason. */
  signal?: AbortSignal;
  /** An aborted call goes on until the worker answers, as its progress matters. */
  awaitsEnd?: boolean;
  /** Buffers in the arguments to transfer instead of copying. */
  transfer?: Transferable[];
}

/** The caller's listener to the progress of a call; the call may wait for it. */
export interface ReportOptions<Report> {
  /** Returns an error to refuse the report: the call goes on with that error. */
  onReport?: (report: Report) => void | Promise<void | Error>;
}

/** A streamed answer that was opened. The caller reads or cancels it. */
export interface OpenStream<Head, Begin> {
  head: Head;
  stream: IncomingStream<Begin>;
}

type Name<H> = keyof H & string;
type Args<H extends Handlers, N extends Name<H>> = Parameters<H[N]>[0];
type Result<H extends Handlers, N extends Name<H>> = Awaited<ReturnType<H[N]>>;
type CallOf<H extends Handlers, N extends Name<H>> = Parameters<H[N]>[1];
type HeadOf<C> = C extends WorkerCall<infer Head, infer _> ? Head : never;
type ReportOf<C> = C extends WorkerCall<infer _, infer _, infer Report> ? Report : never;
type BeginOf<C> = C extends WorkerCall<infer _, infer Begin> ? Begin : never;

/** Handlers of the answer to a call. */
interface Answered {
  opened?(head: unknown): void;
  report?(report: unknown): void;
  part?(bytes: Uint8Array<ArrayBuffer>): void;
  done(result: unknown): void;
  failed(error: unknown): void;
}

/** A pending call. */
interface Pending extends Answered {
  ignoreSignal(): void;
}

/**
 * Calls the functions of a dedicated worker. It starts with the first call. When it dies its calls
 * reject, and the next call starts another.
 *
 * @typeParam H the map of functions that the worker serves
 */
export class WorkerClient<H extends Handlers> {
  readonly #options: WorkerOptions;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** The number of pending calls, including streams not yet read to the end. */
  get load(): number {
    return this.#pending.size;
  }

  /**
   * Calls a function of the worker.
   *
   * @throws {DomainError} errors of the function; `internal` when the worker dies or is closed; the
   * signal's reason
   */
  async call<N extends Name<H>>(
    name: N,
    args: Args<H, N>,
    { onReport, ...options }: CallOptions & ReportOptions<ReportOf<CallOf<H, N>>> = {},
  ): Promise<Result<H, N>> {
    const { promise, resolve, reject } = Promise.withResolvers<Result<H, N>>();
    const done = (result: unknown) => resolve(result as Result<H, N>);
    const report = async (report: unknown) => {
      try {
        const refusal = await onReport?.(report as ReportOf<CallOf<H, N>>);
        // A callback of type void may return anything.
        call.send({ acknowledged: refusal instanceof Error ? sentError(refusal) : true });
      } catch (error) {
        call.cancel();
        reject(error);
      }
    };
    const call = this.#begin(name, args, { report, done, failed: reject }, options);
    return await promise;
  }

  /**
   * Calls a function that streams its answer.
   *
   * @param options.signal effective until the answer is open; later, cancel its stream
   * @returns once the function opens its answer
   * @throws {DomainError} as {@link call}; a later error breaks the stream off
   */
  async stream<N extends Name<H>>(
    name: N,
    args: Args<H, N>,
    options: CallOptions = {},
  ): Promise<OpenStream<HeadOf<CallOf<H, N>>, BeginOf<CallOf<H, N>>>> {
    type Open = OpenStream<HeadOf<CallOf<H, N>>, BeginOf<CallOf<H, N>>>;
    const { promise, resolve, reject } = Promise.withResolvers<Open>();
    const call = this.#begin(name, args, {
      opened: (head) => resolve({ head: head as Open["head"], stream }),
      part: (bytes) => stream.add(bytes),
      done() {
        stream.close();
        reject(new Error("Cannot read the answer: the worker opened none"));
      },
      failed(error) {
        stream.fail(error);
        reject(error);
      },
    }, options);
    const stream = new IncomingStream<BeginOf<CallOf<H, N>>>(call.send, call.cancel);
    return await promise;
  }

  /** Ends the worker; pending calls reject. A later call would start another. */
  close(): void {
    this.end(this.#options.closed?.() ?? workerError("the server is closing"));
  }

  /** Ends the worker; pending calls reject for this reason. A later call would start another. */
  end(reason: Error): void {
    this.#worker?.terminate();
    this.#worker = null;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { ignoreSignal, failed } of pending) {
      ignoreSignal();
      failed(reason);
    }
  }

  #begin(
    name: string,
    args: unknown,
    answered: Answered,
    { signal, awaitsEnd = false, transfer = [] }: CallOptions,
  ) {
    signal?.throwIfAborted();
    const worker = this.#worker ??= this.#start();
    const id = ++this.#lastId;
    const send = (request: object) => {
      if (this.#pending.has(id)) worker.postMessage({ id, ...request } as Request);
    };
    const cancel = () => {
      send({ cancel: true });
      if (!awaitsEnd) this.#takePending(id)?.failed(signal?.reason);
    };
    const ignoreSignal = () => signal?.removeEventListener("abort", cancel);
    signal?.addEventListener("abort", cancel, { once: true });
    this.#pending.set(id, { ...answered, ignoreSignal });
    worker.postMessage({ id, name, args } satisfies Request, transfer);
    return { send, cancel };
  }

  #start(): Worker {
    const { script, name, diedOf = () => workerError("its thread stopped unexpectedly") } =
      this.#options;
    const worker = new Worker(script, { type: "module", name: workerName(name) });
    worker.onmessage = ({ data }: MessageEvent<Reply>) => this.#take(worker, data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.#worker) this.end(diedOf(event.message));
    };
    return worker;
  }

  /** Ends an idle worker to free its memory, unless a call is in transit. */
  #rest(worker: Worker): void {
    if (worker === this.#worker && this.#pending.size === 0) this.close();
  }

  #take(worker: Worker, reply: Reply): void {
    if ("note" in reply) this.#options.note?.(reply.note);
    else if ("idle" in reply) this.#rest(worker);
    else if ("opened" in reply) {
      const pending = this.#pending.get(reply.id);
      pending?.ignoreSignal();
      pending?.opened?.(reply.opened);
    } else if ("report" in reply) this.#pending.get(reply.id)?.report?.(reply.report);
    else if ("part" in reply) this.#pending.get(reply.id)?.part?.(reply.part);
    else if ("result" in reply) {
      collectReceived(buffersOf(reply.result).reduce((sum, { byteLength }) => sum + byteLength, 0));
      this.#takePending(reply.id)?.done(reply.result);
    } else this.#takePending(reply.id)?.failed(receivedError(reply.error));
  }

  #takePending(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.ignoreSignal();
    return pending;
  }
}

function workerError(why: string): DomainError {
  return new DomainError("internal", `Cannot finish the work: ${why}`);
}
