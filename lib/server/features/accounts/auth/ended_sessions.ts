import { isServingThread, ThreadChannel } from "../../../core/concurrency/thread_channel.ts";

/** Sessions that have ended; and whether other threads are asked for those that they know of. */
interface News {
  sids: readonly string[];
  asks: boolean;
}

/**
 * Sessions that were ended while the store could not be written, in memory. All threads of this
 * process refuse them, until the store has it on record; a restart before that forgets them. A
 * thread that starts later, or that has missed messages, asks the others.
 */
export class EndedSessions {
  readonly #sids = new Set<string>();
  readonly #channel: ThreadChannel<News>;

  /** @param root the served folder, by which the threads of a server find each other */
  constructor(root: string) {
    this.#channel = new ThreadChannel(`cubby-ended-sessions ${root}`, {
      take: ({ sids, asks }) => {
        for (const sid of sids) this.#sids.add(sid);
        if (asks && this.#sids.size > 0) this.#tellAll(false);
      },
      onLost: () => this.#tellAll(true),
    });
    if (isServingThread()) this.#tellAll(true);
  }

  has(sid: string): boolean {
    return this.#sids.size > 0 && this.#sids.has(sid);
  }

  add(sid: string): void {
    this.#sids.add(sid);
    this.#channel.post({ sids: [sid], asks: false });
  }

  /** Forgets one in this thread: the store has it on record. */
  delete(sid: string): void {
    this.#sids.delete(sid);
  }

  close(): void {
    this.#channel.close();
  }

  /** Its own, as well: what this thread has told may be lost in turn. */
  #tellAll(asks: boolean): void {
    this.#channel.post({ sids: [...this.#sids], asks });
  }
}
