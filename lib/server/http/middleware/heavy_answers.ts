import type { Context } from "fresh";
import type { State } from "../../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import { mostStallMs } from "../../files/upload/idle_timeout.ts";
import { addressKeyOf } from "../../auth/rate_limit_keys.ts";
import { type Capacity, CostPerOwner, FairQueue } from "../../concurrency/fair_queue.ts";
import { HeldBody } from "../response/held_body.ts";

/** The bounds on what answers hold while they are made and sent. Each serving thread has its own. */
export interface HeavyLimits {
  /** What all answers may hold together, in bytes. */
  mostBytes: number;
  /** How many requests of one owner may wait for room. */
  mostWaiting: number;
  /** How long a request waits for room before it is refused, in milliseconds. */
  patienceMs: number;
  /** How long a reader may take nothing before its answer is given up, in milliseconds. */
  stallMs: number;
}

/** The limits in force. They are documented in docs/api.md, "Heavy answers". */
export const heavyLimits: HeavyLimits = {
  mostBytes: 192 * 2 ** 20,
  mostWaiting: 32,
  patienceMs: 5_000,
  stallMs: mostStallMs,
};

/** Answers up to this size are not counted, in bytes: a connection alone takes as much. */
export const lightBytes = 64 * 1024;

/** `Retry-After` of a refusal, in seconds. */
const retryAfter = 5;

/** One answer counts for no more than this part of all, so that the largest finds room, too. */
const heaviestPart = 1 / 4;

/**
 * The room that heavy answers have: archives, long texts and listings, searches, large previews. It
 * is taken before an answer is made, and given back when it was sent, or its reader is gone.
 */
export class HeavyAnswers {
  readonly limits: HeavyLimits;
  readonly queue: FairQueue;

  constructor(limits: HeavyLimits = heavyLimits) {
    this.limits = limits;
    this.queue = new FairQueue({
      capacity: new DynamicThreshold(limits.mostBytes),
      waiting: { most: limits.mostWaiting, refuse: busy },
    });
  }
}

/**
 * Middleware: gives back the room that a request took, when its answer is sent, or at once if there
 * is none to send.
 */
export async function heavyAnswers(ctx: Context<State>): Promise<Response> {
  try {
    const response = await ctx.next();
    return ctx.state.place?.hand(response) ?? response;
  } catch (error) {
    ctx.state.place?.leave();
    throw error;
  }
}

/**
 * Waits until there is room for the answer to a request.
 *
 * @param bytes what the answer is going to hold in all; called again, it corrects what was said
 * before. Light answers take no room
 * @throws DomainError `busy` when there is none for too long, or too many of the same owner wait;
 * the reason of the request's signal
 */
export async function holdRoom(ctx: Context<State>, bytes: number): Promise<void> {
  if (bytes <= lightBytes && !ctx.state.place) return;
  const { heavy } = ctx.state.cubby;
  ctx.state.place ??= new Place(heavy, ownerOf(ctx), ctx.req.signal);
  await ctx.state.place.hold(bytes);
}

/** A user; or, without a session, whoever comes from the address. */
function ownerOf({ state: { signedIn, address } }: Context<State>): string {
  return signedIn ? `user ${signedIn.user.id}` : visitorPrefix + addressKeyOf(address);
}

/** The room that one request has taken. */
export class Place {
  readonly #heavy: HeavyAnswers;
  readonly #owner: string;
  readonly #signal: AbortSignal;
  #bytes = 0;

  constructor(heavy: HeavyAnswers, owner: string, signal: AbortSignal) {
    this.#heavy = heavy;
    this.#owner = owner;
    this.#signal = signal;
  }

  /** As {@linkcode holdRoom}. */
  async hold(bytes: number): Promise<void> {
    const { queue, limits: { mostBytes, patienceMs } } = this.#heavy;
    const more = Math.min(bytes, mostBytes * heaviestPart) - this.#bytes;
    if (more < 0) queue.release(this.#owner, -more);
    if (more > 0) {
      const patience = new AbortController();
      const timer = setTimeout(() => patience.abort(busy()), patienceMs);
      const signal = AbortSignal.any([this.#signal, patience.signal]);
      await queue.acquire(this.#owner, more, signal).finally(() => clearTimeout(timer));
    }
    this.#bytes += more;
  }

  /** Gives the room back when the answer is sent; at once when it is an error or has no body. */
  hand(response: Response): Response {
    if (this.#bytes === 0) return response;
    if (response.body && response.ok) {
      const { stallMs } = this.#heavy.limits;
      const { stream } = new HeldBody(response.body, stallMs, () => this.leave());
      return new Response(stream, response);
    }
    this.leave();
    return response;
  }

  /** Gives the room back. */
  leave(): void {
    if (this.#bytes > 0) this.#heavy.queue.release(this.#owner, this.#bytes);
    this.#bytes = 0;
  }
}

/** What the names of owners without a session begin with. */
const visitorPrefix = "visitor ";

/**
 * Each owner may hold as much as is still free, the dynamic threshold of Choudhury and Hahne for
 * buffers that are shared: one alone gets half of all, two a third each, and room for one more is
 * always left. Visitors are together one such owner, and share its part among themselves alike.
 */
class DynamicThreshold implements Capacity {
  readonly isStrict = false;
  readonly #most: number;
  readonly #held = new CostPerOwner(Infinity);
  #total = 0;
  #visitors = 0;

  constructor(most: number) {
    this.#most = most;
  }

  has(owner: string, bytes: number): boolean {
    const free = this.#most - this.#total - (isVisitor(owner) ? this.#visitors : 0);
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

function busy(): DomainError {
  const reason = "as much as may be is being sent right now";
  return new DomainError("busy", `Cannot answer the request: ${reason}`, retryAfter);
}
