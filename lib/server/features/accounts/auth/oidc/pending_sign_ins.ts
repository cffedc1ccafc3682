import { createHash, timingSafeEqual } from "node:crypto";
import { digestOf, randomSecret } from "../../../../core/kv/random_id.ts";
import { DomainError } from "../../../../../shared/errors.ts";
import { Collection } from "../../../../core/kv/collection.ts";
import type { Store } from "../../../../core/kv/store.ts";
import { addressKeyOf } from "../rate_limit_keys.ts";

/** How long a visitor has to sign in at the provider, in milliseconds. */
const lifeMs = 10 * 60_000;

/** When to try again while too many are under way, in seconds. */
const retryAfter = 60;

/** A sign-in that is under way at the provider, as the store holds it. */
export interface PendingSignIn {
  /** The nonce that the ID token must repeat. */
  nonce: string;
  /** The verifier of PKCE (RFC 7636). */
  verifier: string;
  /** The address that the provider sends the visitor back to. */
  redirectUri: string;
  /** The page to open afterwards, on this site. */
  next: string;
  /** The SHA-256 digest of the secret that the visitor's browser keeps in a cookie. */
  browser: string;
  /** The end, in milliseconds since 1970. */
  expires: number;
}

/**
 * A sign-in that is under way at a provider, about 500 bytes, for ten minutes; below a digest of
 * the address that it came from, so that those of one address, such as an office's, can be counted.
 */
export const signIns = new Collection<PendingSignIn, [place: string, id: string]>("sign_ins", {
  expires: ({ expires }, now) => expires <= now || expires > now + lifeMs,
  max: 100,
});

/** A sign-in that has begun: what the browser takes to the provider, and what it keeps. */
export interface BegunSignIn {
  /** Comes back from the provider. */
  state: string;
  /** For a cookie. */
  secret: string;
}

/** The sign-ins that are under way, in the store: any thread or server may finish one. */
export class PendingSignIns {
  readonly #store: Store;
  readonly #now: () => number;

  /** @param now the clock, in milliseconds since 1970 */
  constructor(store: Store, now: () => number = () => Date.now()) {
    this.#store = store;
    this.#now = now;
  }

  /** @throws DomainError `throttled` with too many under way from the address */
  async begin(
    address: string,
    pending: Omit<PendingSignIn, "browser" | "expires">,
  ): Promise<BegunSignIn> {
    const place = digestOf(addressKeyOf(address)).slice(0, 16);
    const others = await signIns.list(this.#store, place);
    const now = this.#now();
    if (others.filter(({ expires }) => now < expires).length >= signIns.max) {
      const message = "Cannot sign in: too many sign-ins are in progress; try again in a minute";
      throw new DomainError("throttled", message, retryAfter);
    }
    const [id, secret] = [randomSecret(), randomSecret()];
    const record: PendingSignIn = {
      ...pending,
      browser: digestOf(secret),
      expires: now + lifeMs,
    };
    await signIns.set(this.#store, [place, id], record);
    return { state: `${place}.${id}`, secret };
  }

  /**
   * Takes a sign-in that has begun in the same browser: it can be finished once. Null when there is
   * none, when it took too long, or when the secret is another browser's, as that of a visitor whom
   * an attacker has sent here in the middle of the attacker's own sign-in (login CSRF).
   */
  async take(state: string, secret: string): Promise<PendingSignIn | null> {
    const [, place, id] = /^([\w-]{16})\.([\w-]{43})$/.exec(state) ?? [];
    if (place === undefined || id === undefined) return null;
    const entry = await signIns.entry(this.#store, place, id);
    if (entry.value === null || !isSame(entry.value.browser, digestOf(secret))) return null;
    const { ok } = await this.#store.atomic((operation) => signIns.write(operation, entry, null));
    return ok && this.#now() < entry.value.expires ? entry.value : null;
  }

  /** Removes the records of sign-ins that took too long. */
  async removeExpired(): Promise<void> {
    await signIns.removeExpired(this.#store, this.#now());
  }
}

function isSame(left: string, right: string): boolean {
  const [one, other] = [left, right].map((text) => createHash("sha256").update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
