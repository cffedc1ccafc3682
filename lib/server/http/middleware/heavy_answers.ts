import type { Context } from "fresh";
import type { State } from "../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import { IdleTimeout, maxStallMs } from "../../files/upload/idle_timeout.ts";
import { addressKeyOf } from "../../features/accounts/auth/rate_limit_keys.ts";
import { type Capacity, CostPerOwner, FairQueue } from "../../core/concurrency/fair_queue.ts";
import { heldBy } from "../response/page_stream.ts";
import { collectReceived } from "../../core/concurrency/collect_garbage.ts";

/**
 * Memory limits for bodies while they arrive, and for responses while they are made and sent, for
 * each serving thread.
 */
export interface HeavyLimits {
  /** Most memory of all bodies and responses together, in bytes. */
  maxBytes: number;
  /** Most requests of one owner in the queue. */
  maxWaiting: number;
  /** Most bodies of one owner that arrive at a time, however small: slow senders hold connections. */
  maxBodies: number;
  /** Timeout in the queue, after which a request is refused, in milliseconds. */
  timeoutMs: number;
  /** Timeout for a client that reads nothing, in milliseconds; its response is then aborted. */
  stallMs: number;
}

/** The limits in force. They are documented in docs/api/requests.md, "Heavy answers". */
const heavyLimits: HeavyLimits = {
  maxBytes: 192 * 2 ** 20,
  maxWaiting: 32,
  maxBodies: 256,
  timeoutMs: 5_000,
  stallMs: maxStallMs,
};

/** Bodies and responses up to this size are not counted, in bytes: a connection takes as much. */
const lightBytes = 64 * 1024;

/** `Retry-After` of a refusal, in seconds. */
const retryAfter = 5;

/** A response counts for at most this share of the limit, so that even the largest is admitted. */
const heaviestPart = 1 / 4;

/**
 * The memory budget of request bodies that are read whole, and of heavy responses: archives, long
 * texts and listings, searches, large previews. Reserved before a body is read or a response is
 * made, released when the response was sent or its client disconnected.
 */
export class HeavyAnswers {
  readonly limits: HeavyLimits;
  readonly queue: FairQueue;
  /** The turns of bodies that arrive. */
  readonly bodies: FairQueue;

  constructor(limits: HeavyLimits = heavyLimits) {
    this.limits = limits;
    const waiting = { max: limits.maxWaiting, refuse: busyError };
    this.queue = new FairQueue({ capacity: new DynamicThreshold(limits.maxBytes), waiting });
    this.bodies = new FairQueue({ capacity: new CostPerOwner(limits.maxBodies), waiting });
  }

  /**
   * Waits for a turn in a queue, no longer than the timeout, and only while the client is there.
   *
   * @throws DomainError `busy`; the reason of the request's signal
   */
  async acquire(queue: FairQueue, owner: string, cost: number, req: Request): Promise<void> {
    // Signals take a fifth of a millisecond, and most requests do not wait.
    if (queue.tryAcquire(owner, cost)) return;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(busyError()), this.limits.timeoutMs);
    const either = AbortSignal.any([req.signal, timeout.signal]);
    await queue.acquire(owner, cost, either).finally(() => clearTimeout(timer));
  }
}

/**
 * Middleware: reserves memory for a response that was made without, and releases what a request has
 * reserved when its response is sent, or at once when it fails. Of a change, only the response would
 * fail, so that none is refused.
 */
export async function heavyAnswers(ctx: Context<State>): Promise<Response> {
  try {
    const response = await ctx.next();
    const held = ctx.req.method === "GET" ? heldBy(response) : 0;
    if (held > 0) await reserveMemory(ctx, held);
    return ctx.state.reservation?.releaseAfter(response) ?? response;
  } catch (error) {
    ctx.state.reservation?.release();
    throw error;
  }
}

/**
 * Reserves memory for the response to a request; waits until there is enough.
 *
 * @param bytes memory of the response in all; a second call corrects the first. Light responses
 * reserve none
 * @throws DomainError `busy` after the timeout, or when too many requests of the owner wait; the
 * reason of the request's signal
 */
export async function reserveMemory(ctx: Context<State>, bytes: number): Promise<void> {
  if (bytes <= lightBytes && !ctx.state.reservation) return;
  const { heavy } = ctx.state.cubby;
  ctx.state.reservation ??= new Reservation(heavy, ownerOf(ctx), ctx.req);
  await ctx.state.reservation.reserve(bytes);
}

/**
 * Receives a request's body within the budget: its memory is reserved before its first byte is
 * read, and one owner sends a limited number of bodies at a time.
 *
 * @param bytes memory of the body in all
 * @throws DomainError `busy`, and the reason of the request's signal, as {@linkcode reserveMemory}
 */
export async function receiveInBudget<Body>(
  ctx: Context<State>,
  bytes: number,
  receive: () => Promise<Body>,
): Promise<Body> {
  const { heavy } = ctx.state.cubby;
  const owner = ownerOf(ctx);
  await heavy.acquire(heavy.bodies, owner, 1, ctx.req);
  try {
    await reserveMemory(ctx, bytes);
    return await receive();
  } finally {
    heavy.bodies.release(owner, 1);
  }
}

/** The key of the user or, without a session, of the client's address. */
function ownerOf({ state: { signedIn, address } }: Context<State>): string {
  return signedIn ? `user ${signedIn.user.id}` : visitorPrefix + addressKeyOf(address);
}

/** The memory that one request has reserved. */
export class Reservation {
  readonly #heavy: HeavyAnswers;
  readonly #owner: string;
  readonly #req: Request;
  #bytes = 0;

  constructor(heavy: HeavyAnswers, owner: string, req: Request) {
    this.#heavy = heavy;
    this.#owner = owner;
    this.#req = req;
  }

  /** As {@linkcode reserveMemory}. */
  async reserve(bytes: number): Promise<void> {
    const { queue, limits: { maxBytes } } = this.#heavy;
    const more = Math.min(bytes, maxBytes * heaviestPart) - this.#bytes;
    if (more < 0) queue.release(this.#owner, -more);
    if (more > 0) await this.#heavy.acquire(queue, this.#owner, more, this.#req);
    this.#bytes += more;
  }

  /** Releases the memory when the response is sent; at once when it is an error or has no body. */
  releaseAfter(response: Response): Response {
    if (this.#bytes === 0) return response;
    if (response.body && response.ok) {
      const { stallMs } = this.#heavy.limits;
      const { stream } = new HeldBody(response.body, stallMs, () => this.release());
      return new Response(stream, response);
    }
    this.release();
    return response;
  }

  /** Releases the memory. */
  release(): void {
    if (this.#bytes > 0) this.#heavy.queue.release(this.#owner, this.#bytes);
    this.#bytes = 0;
  }
}

/** Prefix of owners without a session. */
const visitorPrefix = "visitor ";

/**
 * Each owner may hold as much as is still free, the dynamic threshold of Choudhury and Hahne for
 * shared buffers: a single owner gets half of all, two a third each, and one more always fits.
 * Visitors together count as one such owner, and share its part by the same rule.
 */
class DynamicThreshold implements Capacity {
  readonly isStrict = false;
  readonly #max: number;
  readonly #held = new CostPerOwner(Infinity);
  #total = 0;
  #visitors = 0;

  constructor(max: number) {
    this.#max = max;
  }

  has(owner: string, bytes: number): boolean {
    const free = this.#max - this.#total - (isVisitor(owner) ? this.#visitors : 0);
    return this.#held.takenBy(owner) + bytes <= free;
  }

  take(owner: string, bytes: number): void {
    this.#held.take(owner, bytes);
    this.#total += bytes;
    if (isVisitor(owner)) this.#visitors += bytes;
  }

  give(owner: string, bytes: number): void {
    this.take(owner, -bytes);
  }
}

function isVisitor(owner: string): boolean {
  return owner.startsWith(visitorPrefix);
}

function busyError(): DomainError {
  const reason = "too many large answers are being sent";
  return new DomainError("busy", `Cannot answer the request: ${reason}`, retryAfter);
}

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A response body that reports its end: the last byte is sent, the client disconnects or stalls, or
 * the source fails. Nothing is buffered ahead.
 */
class HeldBody {
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
