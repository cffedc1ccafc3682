import { workerName } from "../disk/waiting_thread.ts";
import { DomainError } from "../../shared/errors.ts";
import { Parts } from "./parts.ts";
import type { Answer, Call } from "./protocol.ts";

/** The bytes of an answer. */
type Bytes = Uint8Array<ArrayBuffer>;

/** A call that waits for its answer. */
interface Pending {
  opened?(head: unknown): void;
  part?(bytes: Bytes): void;
  done(pages: Bytes[]): void;
  failed(error: unknown): void;
}

/** An answer in parts that has begun. */
export interface OpenAnswer<Head> {
  head: Head;
  readable: ReadableStream<Bytes>;
}

/**
 * Calls to a Worker of one's own. It starts with the first call; one that dies takes its calls with
 * it, which reject, and the next call starts another.
 */
export class WorkerCalls<Task> {
  readonly #script: URL;
  readonly #name: string;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  #lastId = 0;

  /** @param script the Worker's module */
  constructor(script: URL, name: string) {
    this.#script = script;
    this.#name = name;
  }

  /**
   * Has a task done.
   *
   * @returns the answer, in pages
   * @throws {DomainError} what the Worker refuses; and the signal's reason
   */
  call(task: Task, signal?: AbortSignal): Promise<Bytes[]> {
    const { promise, resolve, reject } = Promise.withResolvers<Bytes[]>();
    this.#begin(task, { done: resolve, failed: reject }, signal);
    return promise;
  }

  /**
   * Has a task done that opens its outlet: its answer comes in parts. The answer is there as soon as the work has begun
   * well; the work goes no faster than the parts are read, and ends when the stream is cancelled.
   *
   * @param signal ends the work before that; the server cancels the stream of a client that goes
   * @throws {DomainError} as {@link call}; what goes wrong later breaks the stream
   */
  stream<Head = null>(task: Task, signal?: AbortSignal): Promise<OpenAnswer<Head>> {
    const { promise, resolve, reject } = Promise.withResolvers<OpenAnswer<Head>>();
    const pending: Pending = {
      opened: (head) => resolve({ head: head as Head, readable: parts.readable }),
      part: (bytes) => parts.add(bytes),
      done: () => parts.close(),
      failed(error) {
        parts.fail(error);
        reject(error);
      },
    };
    const call = this.#begin(task, pending, signal);
    const parts = new Parts(call.askForMore, call.cancel);
    return promise;
  }

  /** Ends the Worker; calls under way reject. A later call would start another. */
  close(): void {
    this.#end(new DomainError("internal", "Cannot go on: the server is closing"));
  }

  #begin(task: Task, pending: Pending, signal?: AbortSignal) {
    signal?.throwIfAborted();
    const worker = this.#worker ??= this.#start();
    const id = ++this.#lastId;
    const send = (call: Call<Task>) => {
      if (this.#pending.has(id)) worker.postMessage(call);
    };
    const cancel = () => {
      send({ id, task: "cancel" });
      this.#settle(id)?.failed(signal?.reason);
    };
    const ignoreSignal = () => signal?.removeEventListener("abort", cancel);
    signal?.addEventListener("abort", cancel, { once: true });
    this.#pending.set(id, {
      part: pending.part,
      opened(head) {
        ignoreSignal();
        pending.opened?.(head);
      },
      done(pages) {
        ignoreSignal();
        pending.done(pages);
      },
      failed(error) {
        ignoreSignal();
        pending.failed(error);
      },
    });
    send({ id, task });
    return { cancel, askForMore: () => send({ id, task: "more" }) };
  }

  #start(): Worker {
    const worker = new Worker(this.#script, { type: "module", name: workerName(this.#name) });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#take(data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.#worker) {
        this.#end(new DomainError("internal", "Cannot go on: the work broke off"));
      }
    };
    return worker;
  }

  #take(answer: Answer): void {
    if ("opened" in answer) this.#pending.get(answer.id)?.opened?.(answer.opened);
    else if ("part" in answer) this.#pending.get(answer.id)?.part?.(answer.part);
    else if ("pages" in answer) this.#settle(answer.id)?.done(answer.pages);
    else if ("refusal" in answer) {
      const { code, message } = answer.refusal;
      this.#settle(answer.id)?.failed(new DomainError(code, message));
    } else this.#settle(answer.id)?.failed(new Error(answer.failure));
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #end(reason: DomainError): void {
    this.#worker?.terminate();
    this.#worker = null;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { failed } of pending) failed(reason);
  }
}
