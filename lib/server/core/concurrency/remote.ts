import type { Access } from "../access/access.ts";
import { workerName } from "../disk/waiting_thread.ts";
import { DomainError } from "../../../shared/errors.ts";
import { collectReceived } from "./collect_garbage.ts";
import {
  buffersOf,
  type Bytes,
  receivedError,
  type Reply,
  type Request,
  sentError,
} from "./protocol.ts";
import type { Handlers, WorkerCall } from "./serve_worker.ts";
import { type StartedWorker, startWorker } from "./start_worker.ts";

/** Configuration of a worker. */
export interface RemoteOptions {
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
export interface CallOptions<Report = never> {
  /**
   * Cancels the call, which rejects with the signal's reason. Effective until a streamed answer is
   * open; later, cancel its stream.
   */
  signal?: AbortSignal;
  /** An aborted call goes on until the worker answers, as its progress matters. */
  awaitsEnd?: boolean;
  /** Buffers in the arguments to transfer instead of copying. */
  transfer?: Transferable[];
  /**
   * Listens to the progress of the call, which may wait for it. An error that it returns refuses
   * the report: the call goes on with that error.
   */
  onReport?: (report: Report) => void | Promise<void | Error>;
  /** Ends the worker, which may be stuck in the call, with all its calls. */
  timeout?: Timeout;
}

/** A time limit of a call. */
export interface Timeout {
  ms: number;
  /** The error of the call. */
  error: Error;
  /** The error of other calls of the worker; the same unless given. */
  others?: Error;
}

/** A streamed answer that was opened. The caller reads or cancels it. */
export interface OpenStream<Head, Begin> {
  head: Head;
  stream: IncomingStream<Begin>;
}

/** What the owner of a worker does with it, beside calling its functions. */
interface Controls {
  /** The number of pending calls, including streams not yet read to the end. */
  readonly load: number;
  /** Whether its thread was started, and has not ended. */
  readonly isRunning: boolean;
  /** Ends the worker; pending calls reject. A later call would start another. */
  close(): void;
  /** Ends the worker; pending calls reject for this reason. A later call would start another. */
  end(reason: Error): void;
}

type HeadOf<C> = C extends WorkerCall<infer Head, infer _> ? Head : never;
type BeginOf<C> = C extends WorkerCall<infer _, infer Begin> ? Begin : never;
type ReportOf<C> = C extends WorkerCall<infer _, infer _, infer Report> ? Report : never;

/** What a call resolves to: the result, or the answer that the function opens. */
type AnswerOf<C, Result> = [HeadOf<C>] extends [never] ? Result : OpenStream<HeadOf<C>, BeginOf<C>>;

/** A function of a worker as it is called. The access in its arguments is entered again there. */
type Called<F> = F extends (args: infer Args, ...rest: infer Rest) => infer Result
  ? (args: Args, options?: CallOptions<ReportOf<Rest[0]>>) => Promise<
    AnswerOf<Rest[0], Awaited<Result>>
  >
  : never;

/** The functions of a worker, to be called from another thread. */
export type Remote<H extends Handlers> =
  & Controls
  & { readonly [Name in keyof H & string]: Called<H[Name]> };

/**
 * The functions of a dedicated worker. It starts with the first call. When it dies its calls
 * reject, and the next call starts another.
 *
 * A call rejects with the {DomainError} of the function; with `internal` when the worker dies or is
 * closed; with the signal's reason. A streamed answer breaks off with a later error.
 *
 * @typeParam H the map of functions that the worker serves
 */
export function remote<H extends Handlers & { [Name in keyof Controls | "then"]?: never }>(
  options: RemoteOptions,
): Remote<H> {
  const thread = new WorkerThread(options);
  const controls: Controls = {
    get load() {
      return thread.load;
    },
    get isRunning() {
      return thread.isRunning;
    },
    close: () => thread.close(),
    end: (reason) => thread.end(reason),
  };
  return new Proxy(controls, {
    get(controls, name) {
      // An object with a function `then` could not be the result of a promise.
      if (typeof name === "symbol" || name === "then" || name in controls) {
        return Reflect.get(controls, name);
      }
      return (args: unknown, options?: CallOptions) => thread.call(name, args, options);
    },
  }) as Remote<H>;
}

/** A pending call. */
interface Pending {
  ignoreSignal(): void;
  opened(head: unknown): void;
  part(bytes: Uint8Array<ArrayBuffer>): void;
  report(report: unknown): void;
  done(result: unknown): void;
  failed(error: unknown): void;
}

class WorkerThread {
  readonly #options: RemoteOptions;
  readonly #pending = new Map<number, Pending>();
  #worker: StartedWorker | null = null;
  #lastId = 0;

  constructor(options: RemoteOptions) {
    this.#options = options;
  }

  get load(): number {
    return this.#pending.size;
  }

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  async call(
    name: string,
    args: unknown,
    { signal, awaitsEnd = false, transfer = [], onReport, timeout }: CallOptions = {},
  ): Promise<unknown> {
    signal?.throwIfAborted();
    const worker = this.#worker ??= this.#start();
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    let stream: IncomingStream<unknown> | null = null;
    const send = (request: object) => {
      if (this.#pending.has(id)) worker.post({ id, ...request } as Request);
    };
    const cancel = () => {
      send({ cancel: true });
      if (!awaitsEnd) this.#takePending(id)?.failed(signal?.reason);
    };
    const timer = timeout && setTimeout(() => {
      this.#takePending(id)?.failed(timeout.error);
      // A busy thread can't be interrupted.
      if (worker === this.#worker) this.end(timeout.others ?? timeout.error);
    }, timeout.ms);
    signal?.addEventListener("abort", cancel, { once: true });
    this.#pending.set(id, {
      ignoreSignal() {
        clearTimeout(timer);
        signal?.removeEventListener("abort", cancel);
      },
      opened(head) {
        this.ignoreSignal();
        stream = new IncomingStream(send, cancel);
        resolve({ head, stream });
      },
      part: (bytes) => stream?.add(bytes),
      async report(report) {
        try {
          const refusal = await onReport?.(report as never);
          // A callback of type void may return anything.
          send({ acknowledged: refusal instanceof Error ? sentError(refusal) : true });
        } catch (error) {
          reject(error);
          cancel();
        }
      },
      done(result) {
        stream?.close();
        resolve(result);
      },
      failed(error) {
        stream?.fail(error);
        reject(error);
      },
    });
    const request: Request = { id, name, args: withSentAccess(args) };
    worker.post(request, transfer);
    return await promise;
  }

  close(): void {
    this.end(this.#options.closed?.() ?? workerError("the server is closing"));
  }

  end(reason: Error): void {
    this.#worker?.end();
    this.#worker = null;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const call of pending) {
      call.ignoreSignal();
      call.failed(reason);
    }
  }

  #start(): StartedWorker {
    const { script, name, diedOf = () => workerError("its thread stopped unexpectedly") } =
      this.#options;
    const worker = startWorker<Reply>(script, workerName(name), {
      onMessage: (reply) => this.#take(worker, reply),
      onError: (message) => {
        if (worker === this.#worker) this.end(diedOf(message));
      },
    });
    return worker;
  }

  /** Ends an idle worker to free its memory, unless a call is in transit. */
  #rest(worker: StartedWorker): void {
    if (worker === this.#worker && this.#pending.size === 0) this.close();
  }

  #take(worker: StartedWorker, reply: Reply): void {
    if ("note" in reply) this.#options.note?.(reply.note);
    else if ("idle" in reply) this.#rest(worker);
    else if ("opened" in reply) this.#pending.get(reply.id)?.opened(reply.opened);
    else if ("report" in reply) this.#pending.get(reply.id)?.report(reply.report);
    else if ("part" in reply) this.#pending.get(reply.id)?.part(reply.part);
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

/** Posts of an access what the worker needs to enter the gate again. */
function withSentAccess(args: unknown): unknown {
  if (typeof args !== "object" || args === null || !("access" in args)) return args;
  const { spec, viewer } = args.access as Access;
  return { ...args, access: { spec, viewer } };
}

function workerError(why: string): DomainError {
  return new DomainError("internal", `Cannot finish the work: ${why}`);
}

/**
 * Maximum number of parts in transit or buffered for a reader: with fewer, the worker and the
 * reader of an archive wait for each other.
 */
const maxParts = 4;

/** A message about a stream to the worker that writes it, without the call's id. */
type StreamRequest = { begin?: unknown; credits: number };

/** Options of reading a stream. */
interface ReadOptions {
  /** Maps the error that breaks the stream off to the one that the reader gets. */
  onBreak?: (error: unknown) => unknown;
}

/**
 * The caller's end of a streamed answer, with back-pressure: the worker sends one part for each
 * credit, so a slow or absent reader costs the memory of a few parts and no work.
 */
export class IncomingStream<Begin = void> {
  readonly #send: (request: StreamRequest) => void;
  readonly #cancel: () => void;
  readonly #parts: Bytes[] = [];
  #arrived: PromiseWithResolvers<void> | null = null;
  #end: { error?: unknown } | null = null;
  #isCancelled = false;

  /**
   * @param send sends a message about this call to the worker
   * @param cancel cancels the call
   */
  constructor(send: (request: StreamRequest) => void, cancel: () => void) {
    this.#send = send;
    this.#cancel = cancel;
  }

  /**
   * The bytes. An error breaks the stream off: it never looks complete then.
   *
   * @param begin the argument that the worker waits for before it writes
   */
  read(begin: Begin, { onBreak = (error) => error }: ReadOptions = {}): ReadableStream<Bytes> {
    let hasBegun = false;
    let isAbandoned = false;
    return new ReadableStream({
      pull: async (controller) => {
        if (!hasBegun) this.#send({ begin, credits: maxParts });
        hasBegun = true;
        try {
          const part = await this.#next();
          // The last parts may have arrived before the reader left.
          if (isAbandoned) return;
          if (!part) return controller.close();
          controller.enqueue(part);
          this.#send({ credits: 1 });
        } catch (error) {
          controller.error(this.#isCancelled || isAbandoned ? error : onBreak(error));
        }
      },
      cancel: () => {
        isAbandoned = true;
        this.cancel();
      },
    }, { highWaterMark: 0 });
  }

  /** Cancels the work; unread parts are dropped, and a reader gets the reason. */
  cancel(
    reason: unknown = new DomainError("internal", "Cannot continue: the request was cancelled"),
  ): void {
    if (this.#end) return;
    this.#isCancelled = true;
    this.fail(reason);
    this.#cancel();
  }

  /** Receives a part. */
  add(part: Bytes): void {
    this.#parts.push(part);
    this.#wake();
  }

  /** Marks the stream as complete. */
  close(): void {
    this.#end ??= {};
    this.#wake();
  }

  /** Breaks the stream off; unread parts are dropped. */
  fail(error: unknown): void {
    if (this.#end) return;
    this.#end = { error };
    for (const { buffer } of this.#parts.splice(0)) buffer.transfer(0);
    this.#wake();
  }

  async #next(): Promise<Bytes | null> {
    for (;;) {
      const part = this.#parts.shift();
      if (part) return part;
      if (this.#end && "error" in this.#end) throw this.#end.error;
      if (this.#end) return null;
      this.#arrived = Promise.withResolvers();
      await this.#arrived.promise;
    }
  }

  #wake(): void {
    this.#arrived?.resolve();
    this.#arrived = null;
  }
}
