import type { Conversion } from "./conversion.ts";
import type { ReadRequest } from "../programs/protocol.ts";
import { header, type SegmentIndex, type SegmentRequest, Stopped } from "./segments.ts";

/** Most bytes of segments that are kept in memory for one stream; the last one may be larger. */
const maxHeldBytes = 64 * 2 ** 20;
/** How long a stream outlives its last request beside the length of a segment, in milliseconds. */
const idleMs = 10_000;
/** The same where whoever asked has hung up before there was an answer. */
const leftMs = 3_000;
/** Segments that are kept in memory after somebody got them: others may come a moment later. */
const maxHanded = 3;

/** A request for a segment, and the file that it can be made of. */
export interface SegmentCall extends SegmentRequest {
  /** The file, which the server has open for as long as it asks. */
  file: ReadRequest;
}

/** Somebody who waits for a segment. */
export interface Waiting extends SegmentCall {
  /** What makes it. */
  by: Conversion | null;
  /** How often a conversion ended that was waited for. */
  tries: number;
  resolve(bytes: Uint8Array<ArrayBuffer>): void;
  reject(reason: unknown): void;
}

/** A stream that is watched: who waits for which segment, and the segments that nobody got yet. */
export class WatchedStream {
  readonly waiting = new Set<Waiting>();
  readonly conversions = new Set<Conversion>();
  readonly #held = new Map<SegmentIndex, Uint8Array<ArrayBuffer>>();
  readonly #handed: SegmentIndex[] = [];
  /** When its users asked for something, in milliseconds since 1970. */
  readonly #askedAt = new Map<string, number>();
  readonly #idleMs: number;
  #lastAt = Date.now();
  #heldBytes = 0;

  /** @param starts where its segments begin, in seconds */
  constructor(starts: readonly number[]) {
    const longest = starts.reduce(
      (most, start, at) => Math.max(most, start - (starts[at - 1] ?? 0)),
      0,
    );
    this.#idleMs = idleMs + longest * 1_000;
  }

  /** The bytes of the segments that it keeps. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** The users who have asked for something of late. */
  get users(): string[] {
    const since = Date.now() - this.#idleMs;
    for (const [user, at] of this.#askedAt) if (at < since) this.#askedAt.delete(user);
    return [...this.#askedAt.keys()];
  }

  /** Whether nobody waits, and nobody has asked for something of late. */
  get isUnwatched(): boolean {
    return this.waiting.size === 0 && this.users.length === 0 && this.isLeft;
  }

  /** Whether nobody waits, and has not for some seconds. */
  get isLeft(): boolean {
    return this.waiting.size === 0 && Date.now() - this.#lastAt > leftMs;
  }

  /** Takes a request: returns the segment if it is there. */
  take({ owner, index }: SegmentRequest): Uint8Array<ArrayBuffer> | undefined {
    this.#askedAt.set(owner, this.#lastAt = Date.now());
    const held = this.#held.get(index);
    if (!held || index === header) return held;
    for (const conversion of this.conversions) {
      // It has made this, and goes on from there.
      if (conversion.covers(index)) conversion.ask(index);
    }
    this.#hand(index);
    return held;
  }

  /** Call it when somebody hangs up without an answer. */
  leave({ owner }: SegmentRequest): void {
    this.#askedAt.delete(owner);
    this.#lastAt = Date.now();
  }

  /** Whether somebody waits for what a conversion makes. */
  isAwaited(conversion: Conversion): boolean {
    return this.waiting.values().some(({ by }) => by === conversion);
  }

  /** Keeps a segment for who waits for it, or will ask. */
  keep(index: SegmentIndex, bytes: Uint8Array<ArrayBuffer>): void {
    this.#drop(index);
    this.#held.set(index, bytes);
    if (index !== header) this.#heldBytes += bytes.length;
    for (const oldest of this.#held.keys()) {
      if (this.#heldBytes <= maxHeldBytes || oldest === index) break;
      if (oldest !== header) this.#drop(oldest);
    }
    const those = [...this.waiting].filter((one) => one.index === index);
    for (const { resolve } of those) resolve(bytes);
    if (those.length > 0 && index !== header) this.#hand(index);
  }

  /** Refuses segments before the one that a conversion has come to: there are no pictures for them. */
  refuseBefore(conversion: Conversion, index: SegmentIndex): void {
    for (const one of this.waiting) {
      if (one.by === conversion && one.index !== header && one.index < index) {
        one.reject(new Stopped("ended"));
      }
    }
  }

  /** Forgets the segments that it keeps. */
  forget(): void {
    for (const index of [...this.#held.keys()]) if (index !== header) this.#drop(index);
  }

  #drop(index: SegmentIndex): void {
    if (index !== header) this.#heldBytes -= this.#held.get(index)?.length ?? 0;
    this.#held.delete(index);
  }

  #hand(index: SegmentIndex): void {
    if (this.#handed.includes(index)) return;
    this.#handed.push(index);
    if (this.#handed.length <= maxHanded) return;
    const [oldest = header] = this.#handed.splice(0, 1);
    this.#drop(oldest);
  }
}
