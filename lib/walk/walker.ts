import { DomainError } from "../errors.ts";
import type { EntryPath } from "../access/path.ts";
import type { GateSpec, Viewer } from "../access/viewer.ts";
import type { ListOptions } from "../files/listing.ts";
import type { Answer, Call, Task } from "./protocol.ts";

/** A call that waits for its answer. */
interface Pending {
  resolve(bytes: Uint8Array<ArrayBuffer> | null): void;
  reject(error: unknown): void;
}

/**
 * Lists large folders and walks trees in a Worker, so that the serving thread never waits for the
 * disk. The Worker starts with the first call; one that dies takes its calls with it, which reject,
 * and the next call starts another.
 */
export class Walker {
  readonly #script: URL;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  #lastId = 0;

  /** @param script the Worker's module */
  constructor(script: URL = new URL("./worker.ts", import.meta.url)) {
    this.#script = script;
  }

  /**
   * Lists a folder.
   *
   * @returns the JSON of a `Resource` in UTF-8
   * @throws {DomainError} `forbidden`, `not_found`; and the signal's reason
   */
  async list(
    spec: GateSpec,
    viewer: Viewer,
    path: EntryPath,
    options: ListOptions,
    signal?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { offset, limit, sorting } = options;
    const target = { spec, viewer, path };
    const task: Task = { kind: "list", target, options: { offset, limit, sorting } };
    const bytes = await this.#call(task, signal);
    if (bytes === null) throw new Error("Cannot list the folder: the Worker gave no answer");
    return bytes;
  }

  /**
   * Removes a folder with all below it, unless something below is denied.
   *
   * @throws {DomainError} `forbidden` with nothing done, `not_found`; and the signal's reason
   */
  async remove(
    spec: GateSpec,
    viewer: Viewer,
    path: EntryPath,
    signal?: AbortSignal,
  ): Promise<void> {
    await this.#call({ kind: "remove", target: { spec, viewer, path } }, signal);
  }

  /** Ends the Worker; calls under way reject. A later call would start another. */
  close(): void {
    this.#end(new DomainError("internal", "Cannot go on: the server is closing"));
  }

  #call(task: Task, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null> {
    signal?.throwIfAborted();
    const worker = this.#worker ??= this.#start();
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer> | null>();
    const cancel = () => {
      this.#pending.delete(id);
      worker.postMessage({ id, task: "cancel" } satisfies Call);
      reject(signal?.reason);
    };
    this.#pending.set(id, { resolve, reject });
    signal?.addEventListener("abort", cancel, { once: true });
    worker.postMessage({ id, task } satisfies Call);
    return promise.finally(() => signal?.removeEventListener("abort", cancel));
  }

  #start(): Worker {
    const worker = new Worker(this.#script, { type: "module", name: "walker" });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#settle(data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.#worker) {
        this.#end(new DomainError("internal", "Cannot go on: the walk broke off"));
      }
    };
    return worker;
  }

  #settle(answer: Answer): void {
    const pending = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if ("bytes" in answer) pending?.resolve(answer.bytes);
    else if ("refusal" in answer) {
      pending?.reject(new DomainError(answer.refusal.code, answer.refusal.message));
    } else pending?.reject(new Error(answer.failure));
  }

  #end(reason: DomainError): void {
    this.#worker?.terminate();
    this.#worker = null;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(reason);
  }
}
