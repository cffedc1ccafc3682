/**
 * Sessions that were ended while the store could not be written, in memory. All threads of this
 * process refuse them, until the store has it on record; a restart before that forgets them.
 */
export class EndedSessions {
  readonly #sids = new Set<string>();
  readonly #channel: BroadcastChannel;

  /** @param root the served folder, by which the threads of a server find each other */
  constructor(root: string) {
    this.#channel = new BroadcastChannel(`cubby-ended-sessions ${root}`);
    this.#channel.onmessage = ({ data }: MessageEvent<string>) => void this.#sids.add(data);
  }

  has(sid: string): boolean {
    return this.#sids.size > 0 && this.#sids.has(sid);
  }

  add(sid: string): void {
    this.#sids.add(sid);
    this.#channel.postMessage(sid);
  }

  /** Forgets one in this thread: the store has it on record. */
  delete(sid: string): void {
    this.#sids.delete(sid);
  }

  close(): void {
    this.#channel.close();
  }
}
