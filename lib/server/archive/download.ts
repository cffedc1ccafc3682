import { DomainError } from "../../shared/errors.ts";
import type { Answer, ArchiveFacts, Call } from "./protocol.ts";
import type { Part } from "./zip/planned_zip.ts";

/** A message to the Worker, without the number of the download. */
type Ask<T = Call> = T extends { id: number } ? Omit<T, "id"> : never;

/** The serving thread's end of one archive: opened by the Worker, then read, or cancelled. */
export class Download {
  readonly #ask: (call: Ask) => void;
  readonly #opened = Promise.withResolvers<ArchiveFacts | null>();
  readonly #pages: Uint8Array<ArrayBuffer>[] = [];
  #waiting: PromiseWithResolvers<void> | null = null;
  #end: { error?: unknown } | null = null;
  #isCancelled = false;

  /** @param ask sends a message to the Worker */
  constructor(ask: (call: Ask) => void) {
    this.#ask = ask;
    this.#opened.promise.catch(() => {});
  }

  /**
   * What is known of the archive before its first byte; nothing unless it was planned.
   *
   * @throws {DomainError} what the gate says, `not_supported` for a codec that does not load
   */
  get opened(): Promise<ArchiveFacts | null> {
    return this.#opened.promise;
  }

  /** Whether there is nothing more to be done for it. */
  get isOver(): boolean {
    return this.#end !== null;
  }

  /**
   * The bytes, or a part of those of a planned archive. Nothing is read before they are asked for,
   * and no more than a few pages ahead. When something fails, the stream does too: it never ends as
   * if the archive were whole.
   *
   * @param onFailure is told what went wrong, unless the client is gone
   */
  stream(
    part: Part | null,
    onFailure: (error: unknown) => void,
  ): ReadableStream<Uint8Array<ArrayBuffer>> {
    let isWriting = false;
    return new ReadableStream({
      pull: async (controller) => {
        if (!isWriting) this.#ask({ write: part });
        isWriting = true;
        try {
          const page = await this.#next();
          if (!page) return controller.close();
          controller.enqueue(page);
          this.#ask({ credits: 1 });
        } catch (error) {
          if (!this.#isCancelled) onFailure(error);
          // Deno logs it, too: of what is no fault of the server's, a sentence is enough.
          controller.error(error instanceof DomainError ? error.message : error);
        }
      },
      cancel: () => this.cancel(),
    }, { highWaterMark: 0 });
  }

  /** Ends the work on it at once; the Worker closes what it has open. */
  cancel(reason: unknown = new DomainError("internal", "Cannot go on: nobody wants it")): void {
    if (this.isOver) return;
    this.#isCancelled = true;
    this.#ask({ cancel: true });
    this.fail(reason);
  }

  /** Takes an answer of the Worker. */
  take(answer: Answer): void {
    if (this.isOver) return;
    if ("opened" in answer) this.#opened.resolve(answer.opened);
    else if ("bytes" in answer) this.#pages.push(answer.bytes);
    else if ("done" in answer) this.#end = {};
    else if ("refusal" in answer) {
      this.fail(new DomainError(answer.refusal.code, answer.refusal.message));
    } else this.fail(new Error(answer.failure));
    this.#wake();
  }

  /** Ends it with an error; what has not been sent by then is dropped. */
  fail(error: unknown): void {
    if (this.isOver) return;
    this.#end = { error };
    for (const { buffer } of this.#pages.splice(0)) buffer.transfer(0);
    this.#opened.reject(error);
    this.#wake();
  }

  async #next(): Promise<Uint8Array<ArrayBuffer> | null> {
    for (;;) {
      const page = this.#pages.shift();
      if (page) return page;
      if (this.#end && "error" in this.#end) throw this.#end.error;
      if (this.#end) return null;
      this.#waiting = Promise.withResolvers();
      await this.#waiting.promise;
    }
  }

  #wake(): void {
    this.#waiting?.resolve();
    this.#waiting = null;
  }
}
