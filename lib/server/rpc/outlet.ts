import type { Answer } from "./protocol.ts";

/** The Worker's end of an answer in parts. */
export class Outlet {
  readonly #id: number;
  readonly #post: (answer: Answer, transfer: Transferable[]) => void;
  #wanted = 0;
  #wake: (() => void) | null = null;

  constructor(id: number, post: (answer: Answer, transfer: Transferable[]) => void) {
    this.#id = id;
    this.#post = post;
  }

  /**
   * Says that the work has begun well: from now on a refusal breaks the answer off.
   *
   * @param head what the caller wants to know before the first part
   */
  open(head: unknown = null): void {
    this.#post({ id: this.#id, opened: head }, []);
  }

  /** Whether a part is wanted right now. */
  get isWanted(): boolean {
    return this.#wanted > 0;
  }

  /** Waits until a part is wanted, or until there is no sense in waiting any longer. */
  async wanted(): Promise<void> {
    if (this.isWanted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    await promise;
  }

  /** Sends a part; its bytes are given away. */
  send(part: Uint8Array<ArrayBuffer>): void {
    this.#wanted--;
    this.#post({ id: this.#id, part }, [part.buffer]);
  }

  /** One more part is wanted. */
  grant(): void {
    this.#wanted++;
    this.release();
  }

  /** Lets the work go on that waits, to see that it is no longer wanted at all. */
  release(): void {
    this.#wake?.();
    this.#wake = null;
  }
}
