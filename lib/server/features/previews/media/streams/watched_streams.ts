/** Streams that are watched, for all threads of the server: who makes which segment, and when. */
import { DomainError } from "../../../../../shared/errors.ts";
import { type Capacity, FairQueue } from "../../../../core/concurrency/fair_queue.ts";
import type { ProgramEnd } from "../../../commands/protocol.ts";
import { Conversion } from "./conversion.ts";
import { otherFile, type PlaceRequest, Stopped, streamOffset } from "./segments.ts";
import { type SegmentCall, type Waiting, WatchedStream } from "./watched_stream.ts";

/** Segments that a conversion makes before it leaves its turn to others while nobody waits for it. */
const segmentsOfTurn = 8;
/** The longest turn while others wait, in milliseconds. */
const turnMs = 15_000;
/**
 * How long after it got a segment a player may take to ask for the next one, in milliseconds: its
 * user may look at another place meanwhile, in another tab.
 */
const nextMs = 500;
/** Most conversions of one user that wait for their turn. */
const maxWaiting = 4;
/** Attempts after a conversion ended that was waited for. */
const maxAttempts = 3;
/** Interval of the search for what nobody watches any more, in milliseconds. */
const checkMs = 500;
/** Most bytes of segments that are kept in memory for all streams. */
const maxHeldBytes = 256 * 2 ** 20;

/** Runs a program that converts a file from a place on. */
export type Convert = (
  call: SegmentCall,
  /** In seconds. */
  place: { start: number; offset: number },
  receive: (bytes: Uint8Array) => Promise<void>,
  signal: AbortSignal,
) => Promise<ProgramEnd>;

/** Some conversions at a time, and one for each user. */
class Turns implements Capacity {
  readonly isStrict = false;
  readonly #max: number;
  readonly #taken = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  has(owner: string): boolean {
    return this.#taken.size < this.#max && !this.#taken.has(owner);
  }

  take(owner: string): void {
    this.#taken.add(owner);
  }

  give(owner: string): void {
    this.#taken.delete(owner);
  }

  /** Whether a user has a turn. */
  isTaken(owner: string): boolean {
    return this.#taken.has(owner);
  }
}

/** Makes segments of streams as they are asked for. All who watch a stream share what is made. */
export class WatchedStreams {
  readonly #convert: Convert;
  readonly #turns: Turns;
  readonly #queue: FairQueue;
  readonly #streams = new Map<string, WatchedStream>();
  #check: ReturnType<typeof setInterval> | undefined;

  /** @param max conversions at a time */
  constructor(convert: Convert, max: number) {
    this.#convert = convert;
    this.#turns = new Turns(max);
    const refuse = () => new DomainError("throttled", "Cannot convert: too many wait already");
    this.#queue = new FairQueue({
      capacity: this.#turns,
      waiting: { max: maxWaiting, refuse },
    });
  }

  /** Whether nobody watches anything. */
  get isIdle(): boolean {
    return this.#streams.size === 0;
  }

  /** Waits for a segment. @throws Stopped; the signal's reason */
  async segment(call: SegmentCall, gone: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const stream = this.#streams.get(call.stream) ?? new WatchedStream(call.starts);
    // In the order of their last request.
    this.#streams.delete(call.stream);
    this.#streams.set(call.stream, stream);
    this.#check ??= setInterval(() => {
      this.#dropUnwatched();
      this.#takeTurns();
    }, checkMs);
    const held = stream.take(call);
    if (held) return held;
    gone.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
    const waiting: Waiting = { ...call, by: null, tries: 0, resolve, reject };
    const leave = () => {
      stream.leave(call);
      waiting.by?.leave();
      reject(gone.reason);
    };
    gone.addEventListener("abort", leave, { once: true });
    stream.waiting.add(waiting);
    const endWait = this.#limitWait(waiting);
    try {
      this.#serve(stream, waiting);
      return await promise;
    } finally {
      endWait();
      gone.removeEventListener("abort", leave);
      stream.waiting.delete(waiting);
      this.#takeTurns();
    }
  }

  /** How many turns come until one of a user's streams; 0 where it does not wait. */
  place({ stream, owner }: PlaceRequest): number {
    const conversions = [...this.#streams.get(stream)?.conversions ?? []];
    const waits = conversions.filter(({ hasBegun, stopped }) => !hasBegun && !stopped);
    const [own = waits[0]] = waits.filter((conversion) => conversion.owner === owner);
    return own ? this.#queue.placeOf(own.owner) : 0;
  }

  /** Finds what will make a segment, or begins it. */
  #serve(stream: WatchedStream, waiting: Waiting): void {
    const { index } = waiting;
    const near = stream.conversions.values().find((conversion) => conversion.willMake(index));
    waiting.by = near ?? this.#start(stream, waiting);
    if (index >= waiting.by.from) waiting.by.ask(index);
  }

  #start(stream: WatchedStream, call: SegmentCall): Conversion {
    const conversion: Conversion = new Conversion({
      ...{ from: call.from, starts: call.starts, owner: call.owner },
      keep: (index, bytes) => {
        if (stream.isAwaited(conversion)) conversion.hand();
        stream.keep(index, bytes);
        this.#limitHeld();
        this.#takeTurns();
      },
      reached: (index) => stream.refuseBefore(conversion, index),
    });
    stream.conversions.add(conversion);
    void this.#run(stream, conversion, call).then((reason) => {
      conversion.stop(reason);
      stream.conversions.delete(conversion);
      this.#settle(stream, conversion, reason);
      this.#takeTurns();
    });
    return conversion;
  }

  /** Runs a conversion to its end, once its turn has come. */
  async #run(
    stream: WatchedStream,
    conversion: Conversion,
    { starts, lead }: SegmentCall,
  ): Promise<Stopped> {
    // Once others know of it.
    await Promise.resolve();
    try {
      const turn = this.#queue.acquire(conversion.owner, 1, conversion.signal);
      this.#takeTurns();
      await turn;
    } catch (error) {
      return error instanceof Stopped ? error : new Stopped("full");
    }
    try {
      conversion.begin();
      // Of those who ask now: their files are open.
      const call = stream.waiting.values().find(({ by }) => by === conversion);
      if (!call) return new Stopped("unneeded");
      const from = starts[conversion.from] ?? 0;
      const start = from === 0 ? 0 : from + lead;
      const place = { start, offset: start + streamOffset };
      const receive = async (bytes: Uint8Array) => {
        try {
          await conversion.receive(bytes);
        } catch (error) {
          conversion.stop(error instanceof Stopped ? error : new Stopped("failed"));
          throw error;
        }
      };
      const { status, failure, stopped } = await this.#convert(
        ...[call, place, receive, conversion.signal] as const,
      );
      if (conversion.stopped) return conversion.stopped;
      if (failure === otherFile) return new Stopped("changed");
      if (failure !== undefined) return new Stopped("unrunnable", failure);
      conversion.end();
      if (conversion.made > 0 || status === 0) return new Stopped("ended");
      return new Stopped(stopped === undefined ? "failed" : "slow");
    } catch (error) {
      return new Stopped("unrunnable", error instanceof Error ? error.message : String(error));
    } finally {
      this.#queue.release(conversion.owner, 1);
    }
  }

  /** Tells those who waited for a conversion that it has ended, or finds them another. */
  #settle(stream: WatchedStream, conversion: Conversion, reason: Stopped): void {
    for (const waiting of [...stream.waiting].filter(({ by }) => by === conversion)) {
      if (reason.why !== "unneeded") waiting.reject(reason);
      else if (++waiting.tries >= maxAttempts) waiting.reject(new Stopped("busy"));
      else this.#serve(stream, waiting);
    }
  }

  /**
   * Ends a wait that takes too long: for a turn, or for a conversion that has its turn.
   *
   * @returns ends the limit
   */
  #limitWait(waiting: Waiting): () => void {
    const { patienceMs } = waiting;
    const asked = Date.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const limit = (ms: number) => timer = setTimeout(expire, ms);
    const expire = () => {
      const { by } = waiting;
      if (!by?.hasBegun) return waiting.reject(new Stopped("busy"));
      const left = Math.max(asked, by.beganAt) + patienceMs - Date.now();
      if (left > 0) return limit(left);
      by.stop(new Stopped("slow"));
    };
    limit(patienceMs);
    return () => clearTimeout(timer);
  }

  /** Has conversions leave their turns to others that wait. */
  #takeTurns(): void {
    const waiting = [...this.#all()].filter(([, { hasBegun, stopped, owner }]) =>
      !hasBegun && !stopped && this.#queue.placeOf(owner) > 0
    );
    if (waiting.length === 0) return;
    for (const [stream, conversion] of this.#all()) {
      if (!conversion.hasBegun || conversion.stopped) continue;
      const { owner, made, beganAt, wantedAt } = conversion;
      const isAwaited = stream.isAwaited(conversion);
      // The user looks at another place, or another film: in place of this, or in another tab.
      const isElsewhere = !isAwaited && waiting.some(([, other]) => other.owner === owner);
      if (isElsewhere && this.#handOver(stream, conversion)) continue;
      const isLeft = isElsewhere && Date.now() - wantedAt > nextMs;
      const isOver = made > 0 && Date.now() - beganAt > turnMs ||
        made >= segmentsOfTurn && !isAwaited;
      if (isLeft || isOver) conversion.stop(new Stopped("unneeded"));
    }
  }

  /** Hands a turn to another user who watches the same. */
  #handOver(stream: WatchedStream, conversion: Conversion): boolean {
    const { owner } = conversion;
    const other = stream.users.find((user) => user !== owner && !this.#turns.isTaken(user));
    if (other === undefined) return false;
    conversion.owner = other;
    this.#turns.take(other);
    this.#queue.release(owner, 1);
    return true;
  }

  /** Ends conversions, and forgets streams, that nobody has asked for in a while. */
  #dropUnwatched(): void {
    for (const [key, stream] of this.#streams) {
      const { isUnwatched, isLeft } = stream;
      for (const conversion of stream.conversions) {
        if (isUnwatched || isLeft && !conversion.hasBegun) {
          conversion.stop(new Stopped("unneeded"));
        }
      }
      if (isUnwatched && stream.conversions.size === 0) this.#streams.delete(key);
    }
    if (this.#streams.size > 0) return;
    clearInterval(this.#check);
    this.#check = undefined;
  }

  /** Forgets segments of the streams that were asked for the longest time ago. */
  #limitHeld(): void {
    let bytes = this.#streams.values().reduce((sum, { heldBytes }) => sum + heldBytes, 0);
    for (const stream of this.#streams.values()) {
      if (bytes <= maxHeldBytes) return;
      bytes -= stream.heldBytes;
      stream.forget();
    }
  }

  *#all(): Generator<[WatchedStream, Conversion]> {
    for (const stream of this.#streams.values()) {
      for (const conversion of stream.conversions) yield [stream, conversion];
    }
  }
}
