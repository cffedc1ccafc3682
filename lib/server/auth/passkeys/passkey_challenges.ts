import { createHash } from "node:crypto";
import { DomainError } from "../../../shared/errors.ts";
import { isRecord } from "../../../shared/schemas/read.ts";
import { passkeyChallengeKey, passkeyChallengesPrefix } from "../../kv/keys/passkeys.ts";
import { removeExpired } from "../../kv/remove_expired.ts";
import type { Store } from "../../kv/store.ts";
import { addressKeyOf } from "../rate_limit_keys.ts";

/** How long a user has to answer, in milliseconds. */
const lifeMs = 10 * 60_000;

/** Most open questions from one address, such as an office's: the records are strangers'. */
const mostFromPlace = 100;

/** When to try again with so many open, in seconds. */
const retryAfter = 60;

/** Characters of the digest of an address, in base64url: a whole number of bytes. */
const placeLength = 16;

/** A question to an authenticator, as the store holds it. */
export interface PasskeyChallenge {
  /** The host name that it was asked for. */
  party: string;
  /** The passkey to make; null where one is asked to sign in or to prove who it is. */
  creation: {
    userId: number;
    /** The session that asks. */
    sid: string;
    /** The user handle that the passkey gets. */
    handle: string;
  } | null;
  /** The end, in milliseconds since 1970. */
  expires: number;
}

/**
 * The open questions to passkeys, in the store: any thread or server may take an answer. A question
 * is a random text that the authenticator signs; each is answered once.
 */
export class PasskeyChallenges {
  readonly #store: Store;
  readonly #now: () => number;

  /** @param now the clock, in milliseconds since 1970 */
  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /**
   * A new question, in base64url.
   *
   * @throws DomainError `throttled` with too many open ones from the address
   */
  async begin(
    address: string,
    challenge: Omit<PasskeyChallenge, "expires">,
  ): Promise<string> {
    const place = createHash("sha256").update(addressKeyOf(address)).digest("base64url")
      .slice(0, placeLength);
    const others = await this.#store.list<PasskeyChallenge>(passkeyChallengesPrefix(place));
    const now = this.#now();
    if (others.filter(({ value }) => now < value.expires).length >= mostFromPlace) {
      const message = "Cannot ask for a passkey: too many attempts are under way, try again later";
      throw new DomainError("throttled", message, retryAfter);
    }
    const id = crypto.getRandomValues(new Uint8Array(32)).toBase64({
      alphabet: "base64url",
      omitPadding: true,
    });
    const record: PasskeyChallenge = { ...challenge, expires: now + lifeMs };
    await this.#store.atomic((operation) => operation.set(passkeyChallengeKey(place, id), record));
    return place + id;
  }

  /**
   * Takes the question that a client's data answers; null when there is none, when the answer took
   * too long, or when it was answered before.
   *
   * @param clientDataJSON as the browser has sent it
   */
  async take(
    clientDataJSON: string,
  ): Promise<{ challenge: string; record: PasskeyChallenge } | null> {
    const challenge = challengeIn(clientDataJSON);
    if (challenge === null) return null;
    const key = passkeyChallengeKey(
      challenge.slice(0, placeLength),
      challenge.slice(placeLength),
    );
    const entry = await this.#store.get<PasskeyChallenge>(key);
    if (entry.value === null) return null;
    const { ok } = await this.#store.atomic((operation) => operation.check(entry).delete(key));
    return ok && this.#now() < entry.value.expires ? { challenge, record: entry.value } : null;
  }

  /** Removes the records of questions that were not answered in time. */
  async removeExpired(): Promise<void> {
    const now = this.#now();
    await removeExpired<PasskeyChallenge>(
      this.#store,
      passkeyChallengesPrefix(),
      ({ expires }) => expires <= now || expires > now + lifeMs,
    );
  }
}

/** The challenge in a client's data; null for what no browser on a page of this site has made. */
function challengeIn(clientDataJSON: string): string | null {
  try {
    const bytes = Uint8Array.fromBase64(clientDataJSON, { alphabet: "base64url" });
    const data: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    // A page of another site that frames this one gets no answers.
    if (!isRecord(data) || data.crossOrigin === true) return null;
    const { challenge } = data;
    return typeof challenge === "string" && /^[\w-]{59}$/.test(challenge) ? challenge : null;
  } catch {
    return null;
  }
}
