import { collectWhenIdle } from "./collect_garbage.ts";
import {
  buffersOf,
  type Bytes,
  receivedError,
  type Reply,
  type Request,
  type SentError,
  sentError,
} from "./protocol.ts";
import { openChannel, type Post } from "./start_worker.ts";

/**
 * The functions of a worker, by name. Arguments and results are plain data. A function that streams
 * its answer does so through its call; its result is ignored.
 */
export type Handlers = Record<string, (args: never, call: never) => unknown>;

/** Options of serving. */
export interface ServeOptions {
  /** Maps an error of a function to the one sent to the caller. */
  asError?(thrown: unknown, name: string, args: never): unknown;
  /** Idle time in milliseconds after which the worker is ended; never by default. */
  idleMs?: number;
}

/** Posts to the caller. */
let send: Post | undefined;

/**
 * Serves the functions of a worker. Calls run concurrently: a long one pauses regularly, and ends
 * when its signal is aborted. Bytes in a result (as the result, in an array, or as a property) are
 * transferred, not copied.
 */
export function serveWorker(
  handlers: Handlers,
  { asError = (thrown) => thrown, idleMs }: ServeOptions = {},
): void {
  const running = new Map<number, WorkerCall>();
  let idle: ReturnType<typeof setTimeout> | undefined;

  send = openChannel<Request>((request) => {
    if ("name" in request) run(request.id, request.name, request.args as never);
    else if ("begin" in request) running.get(request.id)?.begin(request.begin, request.credits);
    else if ("credits" in request) running.get(request.id)?.grant(request.credits);
    else if ("acknowledged" in request) running.get(request.id)?.acknowledge(request.acknowledged);
    else running.get(request.id)?.cancel();
  });

  async function run(id: number, name: string, args: never): Promise<void> {
    const call = new WorkerCall(id, post);
    running.set(id, call);
    clearTimeout(idle);
    try {
      const result = await handlers[name]?.(args, call as never);
      post({ id, result }, buffersOf(result));
    } catch (thrown) {
      post({ id, error: sentError(asError(thrown, name, args)) });
    } finally {
      running.delete(id);
      collectWhenIdle(() => running.size === 0);
      clearTimeout(idle);
      if (idleMs !== undefined && running.size === 0) {
        idle = setTimeout(() => post({ idle: true }), idleMs);
      }
    }
  }
}

/** Sends a sentence to log to the thread that started this worker. */
export function note(sentence: string): void {
  post({ note: sentence });
}

function post(reply: Reply, transfer: Transferable[] = []): void {
  send?.(reply, transfer);
}

/**
 * A call as the worker's function sees it: its abort signal, its reports, and its streamed answer.
 *
 * @typeParam Head sent when the stream opens; never, for a call that answers with its result
 * @typeParam Begin sent by the reader when it begins to read
 * @typeParam Report sent while the call is in progress
 */
export class WorkerCall<Head = never, Begin = void, Report = never> {
  readonly #id: number;
  readonly #post: (reply: Reply, transfer: Transferable[]) => void;
  readonly #controller = new AbortController();
  readonly #begun = Promise.withResolvers<Begin>();
  readonly #unacknowledged: PromiseWithResolvers<void>[] = [];
  #credits = 0;
  #granted: PromiseWithResolvers<void> | null = null;

  constructor(id: number, post: (reply: Reply, transfer: Transferable[]) => void) {
    this.#id = id;
    this.#post = post;
    this.#begun.promise.catch(() => {});
  }

  /** Aborted when the caller no longer needs the answer. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Reports to the caller.
   *
   * @returns once the caller has acknowledged it, or the call is cancelled
   * @throws {DomainError} when the caller refuses it
   */
  report(report: Report): Promise<void> {
    const answer = Promise.withResolvers<void>();
    this.#unacknowledged.push(answer);
    this.#post({ id: this.#id, report }, []);
    return answer.promise;
  }

  /** Takes the answer to the oldest report. */
  acknowledge(answer: true | SentError): void {
    const oldest = this.#unacknowledged.shift();
    if (answer === true) oldest?.resolve();
    else oldest?.reject(receivedError(answer));
  }

  /**
   * Opens the streamed answer. A later error breaks the stream off.
   *
   * @returns the reader's own argument, once it begins to read
   * @throws the signal's reason
   */
  open(head: Head): Promise<Begin> {
    this.#post({ id: this.#id, opened: head }, []);
    return this.#begun.promise;
  }

  /** Whether the reader has room for another part. */
  get hasCapacity(): boolean {
    return this.#credits > 0;
  }

  /**
   * Sends a part of the stream once the reader has room. Its buffer is transferred.
   *
   * @throws the signal's reason
   */
  async send(part: Bytes): Promise<void> {
    while (this.#credits <= 0) {
      this.signal.throwIfAborted();
      await (this.#granted ??= Promise.withResolvers()).promise;
    }
    this.signal.throwIfAborted();
    this.#credits--;
    this.#post({ id: this.#id, part }, [part.buffer]);
  }

  /** Receives the reader's argument and the first credits. */
  begin(value: unknown, credits: number): void {
    this.#begun.resolve(value as Begin);
    this.grant(credits);
  }

  /** Adds credits. */
  grant(credits: number): void {
    this.#credits += credits;
    this.#wake();
  }

  /** Aborts the call. */
  cancel(): void {
    this.#controller.abort();
    this.#begun.reject(this.signal.reason);
    for (const { resolve } of this.#unacknowledged.splice(0)) resolve();
    this.#wake();
  }

  #wake(): void {
    this.#granted?.resolve();
    this.#granted = null;
  }
}

/** A call that streams its answer. */
export type StreamCall<Head = null, Begin = void> = WorkerCall<Head, Begin>;
