import { DomainError } from "../../../shared/errors.ts";
import { collectReceived } from "../../core/concurrency/collect_garbage.ts";
import { IdleTimeout } from "../../files/upload/idle_timeout.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A response body that reports its end: the last byte is sent, the client disconnects or stalls, or
 * the source fails. Nothing is buffered ahead.
 */
export class HeldBody {
  /** The body to send. */
  readonly stream: ReadableStream<Bytes>;
  readonly #source: ReadableStreamDefaultReader<Bytes>;
  readonly #onEnd: () => void;
  readonly #stallMs: number;
  #watch: IdleTimeout | null = null;
  #progress = 0;
  #isReading = false;

  /**
   * @param stallMs timeout for a client that reads nothing, in milliseconds; up to twice as long
   * @param onEnd called at least once
   */
  constructor(body: ReadableStream<Bytes>, stallMs: number, onEnd: () => void) {
    this.#source = body.getReader();
    this.#stallMs = stallMs;
    this.#onEnd = onEnd;
    this.stream = new ReadableStream({
      pull: (controller) => this.#pull(controller),
      cancel: async (reason) => {
        this.#end();
        await this.#source.cancel(reason);
      },
    }, { highWaterMark: 0 });
  }

  async #pull(controller: ReadableStreamDefaultController<Bytes>): Promise<void> {
    this.#watch ??= this.#watchReader(controller);
    this.#progress++;
    this.#isReading = true;
    try {
      const { done, value } = await this.#source.read();
      if (value) this.#pass(value, controller);
      if (!done) return;
      this.#end();
      controller.close();
    } catch (error) {
      this.#end();
      throw error;
    } finally {
      this.#isReading = false;
    }
  }

  #pass(bytes: Bytes, controller: ReadableStreamDefaultController<Bytes>): void {
    collectReceived(bytes.length);
    controller.enqueue(bytes);
  }

  /** Time spent waiting for the source does not count as a stall of the client. */
  #watchReader(controller: ReadableStreamDefaultController<Bytes>): IdleTimeout {
    const watch = new IdleTimeout(
      () => this.#isReading ? ++this.#progress : this.#progress,
      this.#stallMs,
    );
    watch.signal.addEventListener("abort", () => {
      this.#end();
      const reason = new DomainError(
        "internal",
        "Cannot send the answer: the client stopped reading",
      );
      controller.error(reason.message);
      this.#source.cancel(reason).catch(() => {});
    });
    return watch;
  }

  #end(): void {
    this.#watch?.[Symbol.dispose]();
    this.#onEnd();
  }
}
