import { DomainError } from "../../../../shared/errors.ts";
import { Concurrency, FairQueue } from "../../../core/concurrency/fair_queue.ts";
import { type Bcrypt, costOf } from "./bcrypt.ts";
import { BcryptInWorker } from "./bcrypt_in_worker.ts";
import { openNativeBcrypt } from "./bcrypt_native.ts";

/** The cost of every hash made here, about 60 ms of native code; File Browser's is the same. */
const cost = 10;

/**
 * A hash of that cost with an unknown password, compared when no user has the name, so that the
 * response time does not reveal which names exist.
 */
const unknownUserHash = "$2b$10$zJxDOE35r/l0m7ee7Z4mrO8g3EoxkiSpf78E3yx7Yy9mokpcOln4i";

/** bcrypt ignores the bytes beyond, so a longer password would match by its beginning. */
export const maxPasswordBytes = 72;

/** Capacity of the queue of passwords to hash or compare: some seconds of work. */
const maxWaiting = 256;

/**
 * Number of passwords that one serving thread hashes or compares at a time: all threads together
 * keep each processor busy. More at a time would take longer each, and delay other requests.
 *
 * @param workers the number of serving threads
 */
export function passwordConcurrency(
  workers: number,
  processors = navigator.hardwareConcurrency,
): number {
  return Math.max(1, Math.ceil(processors / workers));
}

/** Hashes and compares passwords with bcrypt, off the event loop, with limited concurrency. */
export class Passwords {
  readonly #bcrypt: Bcrypt;
  readonly #queue: FairQueue;

  /** @param limit of passwords that are hashed or compared at a time */
  constructor(bcrypt: Bcrypt, limit = 1) {
    this.#bcrypt = bcrypt;
    this.#queue = new FairQueue({
      capacity: new Concurrency(limit),
      waiting: { max: maxWaiting, refuse: queueFullError },
    });
  }

  /** The name of the implementation in use, for the start-up log. */
  get backend(): string {
    return this.#bcrypt.name;
  }

  /** @throws DomainError `throttled` when the queue is full */
  hash(password: string): Promise<string> {
    return this.#run(() => this.#bcrypt.hash(canonical(password), cost));
  }

  /**
   * Whether a password belongs to a hash. Takes the same time for `null`, which stands for an
   * unknown user, and for passwords of every length.
   *
   * Hashes of File Browser are of the password as it was sent, so that one in another form of
   * Unicode is compared in both.
   *
   * @throws DomainError `throttled` when the queue is full
   */
  verify(password: string, hash: string | null): Promise<boolean> {
    const forms = new Set([canonical(password), password]);
    return this.#run(async () => {
      let isEqual = false;
      for (const text of forms) {
        const possible = hash !== null && byteLength(text) <= maxPasswordBytes;
        const equal = await this.#bcrypt.verify(
          possible ? text : "",
          possible ? hash : unknownUserHash,
        );
        isEqual ||= equal && possible;
      }
      return isEqual;
    });
  }

  /** Whether a hash has another cost, and so takes another time to compare. */
  isForeign(hash: string): boolean {
    return costOf(hash) !== cost;
  }

  close(): void {
    this.#bcrypt.close();
  }

  #run<T>(task: () => Promise<T>): Promise<T> {
    return this.#queue.run("", 0, task);
  }
}

function queueFullError(): DomainError {
  const message = "Cannot check the password: too many others are being checked";
  return new DomainError("throttled", message, 5);
}

/**
 * Chooses the implementation once: native code where it loads, JavaScript in a thread elsewhere.
 *
 * @param workers the number of serving threads
 */
export async function openPasswords(workers = 1): Promise<Passwords> {
  const bcrypt = await openNativeBcrypt() ?? new BcryptInWorker();
  return new Passwords(bcrypt, passwordConcurrency(workers));
}

/** NFC: different keyboards send the same text differently. */
export function canonical(password: string): string {
  return password.normalize("NFC");
}

/** The length that bcrypt counts. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
